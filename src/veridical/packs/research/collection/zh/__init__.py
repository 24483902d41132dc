"""The Chinese ones."""
