"""Quotations and citations: what an answer says of documents, held against their text."""
