"""The index in PostgreSQL: chunks, postings with BM25, vectors; every row has its tenant."""
