"""Small language models that run on any machine: where their weights are, and a server."""
