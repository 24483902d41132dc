"""Embeddings: vectors of texts from an endpoint or from a model file."""
