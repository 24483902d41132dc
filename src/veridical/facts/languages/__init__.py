"""How each language prints values and words facts: data, read once."""
