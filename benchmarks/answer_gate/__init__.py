"""The answer gate on public data and on our own, beside the package ``figured``."""
