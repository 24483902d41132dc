"""Evidence for answers, read into sheets for fast lookup."""
