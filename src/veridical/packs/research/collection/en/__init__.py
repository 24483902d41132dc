"""The English ones."""
