"""The console: pages for people who would rather look than read, rendered on the server."""
