"""The tool loop: a model requests calls, checked tools run them, until there is an answer."""
