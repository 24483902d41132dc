"""Scores one run, from its answer, its trace and the truth."""
