"""Duplicates and conflicts: what each requirement says, which to compare, and how two relate."""
