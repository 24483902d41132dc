"""Skills: instructions for one kind of task, found by their words, checked after each run."""
