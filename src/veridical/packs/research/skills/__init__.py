"""Skills for questions about documents and books."""
