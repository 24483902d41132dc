"""Evaluation: gold questions, modes, scores and statistical comparisons."""
