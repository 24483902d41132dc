"""Analysers: the terms of a text in its language, the same for stored texts and questions."""
