"""Simulated models: make known kinds of mistakes at known rates, without any model."""
