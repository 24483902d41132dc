"""Run folders on disk: setup, results, traces, steps and truths."""
