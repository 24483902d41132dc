"""The console: web pages, rendered on the server."""
