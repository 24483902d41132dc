"""Skills for a trustee's recurring tasks, one folder each."""
