"""Gold questions, modes, scores and comparisons: what says whether anything got better."""
