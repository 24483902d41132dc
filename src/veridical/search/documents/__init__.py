"""Parsers: Markdown, HTML, PDF, DOCX, plain text, feeds and JSON into sections of text."""
