"""The HTTP routes, one resource per file."""
