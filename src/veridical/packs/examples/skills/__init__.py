"""The skills that ship with Veridical, one folder each."""
