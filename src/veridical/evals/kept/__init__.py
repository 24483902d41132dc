"""What stays of a run on disk: its setup, results, traces, steps and truths."""
