"""A database that nobody described yet: what is found in it, and what its schema alone forbids."""
