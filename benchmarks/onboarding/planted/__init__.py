"""Databases with planted traps: what a person would declare about them is written beside each."""
