"""The tool loop: a model asks for calls, checked tools answer, until there is an answer."""
