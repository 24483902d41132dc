"""How a trustee's recurring tasks are gone about, one folder each."""
