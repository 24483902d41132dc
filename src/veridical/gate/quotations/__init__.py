"""Quotations and citations of an answer, compared with the text of the documents."""
