"""Evaluation modes, and the environments they run in."""
