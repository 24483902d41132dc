"""Vocabularies of the gate, one TOML file per language."""
