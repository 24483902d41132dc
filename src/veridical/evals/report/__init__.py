"""Reports on scored runs: Markdown with charts, and one self-contained HTML page."""
