"""What each language says things with: one TOML file a language."""
