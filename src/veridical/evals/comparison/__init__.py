"""Metrics of a mode's runs, and statistical comparison of two sets of runs."""
