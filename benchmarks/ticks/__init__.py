"""Free text of other agents: which claims are ticked green, grey or red, and which lies pass."""
