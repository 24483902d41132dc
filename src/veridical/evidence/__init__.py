"""Typed results: what an answer may rest on, with a dimension for every figure."""
