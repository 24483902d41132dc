"""The words that the rules look for, as data: one file per language, and the units of both."""
