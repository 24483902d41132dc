"""Data of each language for printing values and wording facts, read once."""
