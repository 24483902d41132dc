"""The prose of an answer: slots filled by the host, and finite checks of the words around them."""
