"""Referenced answers: how many are accepted, and how many machine-made corruptions pass."""
