"""Questions that need a table and a document, each with its truth as plain SQL."""
