"""Mistake rates, one file per simulated model."""
