"""Known questions, drafted from what was found in the data."""
