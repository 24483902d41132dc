"""Reports on judged runs: Markdown with its charts, and one HTML page that needs no other file."""
