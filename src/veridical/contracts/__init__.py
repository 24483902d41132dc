"""Values that pass between the stages: plain and typed, without behaviour of their own."""
