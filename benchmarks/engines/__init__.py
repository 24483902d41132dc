"""Every engine of the registry: what hostile statements get out of it, and what it costs."""
