"""The HTTP server: translates requests and responses, and decides nothing itself."""
