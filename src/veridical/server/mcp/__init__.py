"""The Model Context Protocol server: checked tools and the verified agent for other agents."""
