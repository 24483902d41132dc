"""Figures that follow from others: recomputed from what the answer shows, where that is legal."""
