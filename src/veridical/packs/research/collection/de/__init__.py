"""The German ones."""
