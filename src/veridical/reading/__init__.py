"""Reads figures and times from text in each language."""
