"""Whether the evidence speaks of what was asked."""
