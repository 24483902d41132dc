"""Analysers: the terms of a text in its language, the same for what is stored and what is asked."""
