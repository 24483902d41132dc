"""Figures told of stretches of time, and of one of several parallel objects."""
