"""Files of requirements: Markdown, CSV, JSON lines and text, each by the ending of its name."""
