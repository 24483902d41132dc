"""Plain questions to databases without a description."""
