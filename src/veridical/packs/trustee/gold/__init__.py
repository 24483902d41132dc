"""Gold questions about the books, one file per theme, each with its truth as plain SQL."""
