"""The addresses of the server, one noun in each file."""
