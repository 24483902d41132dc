"""Gold questions asked: planned, answered by a model, recorded, judged and kept."""
