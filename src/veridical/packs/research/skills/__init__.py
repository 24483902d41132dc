"""How a question about documents and books is gone about."""
