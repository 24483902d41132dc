"""The team that reviews requirements: operator, clarifier and validator, in typed turns."""
