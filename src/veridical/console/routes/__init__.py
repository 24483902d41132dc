"""The pages, one section per file."""
