"""Rates of mistakes, one file per simulated model."""
