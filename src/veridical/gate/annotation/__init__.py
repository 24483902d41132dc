"""Annotations: somebody else's text with references written into it, so that it can be checked."""
