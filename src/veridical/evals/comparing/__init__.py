"""What the runs of a mode come to, and whether one set of runs is better than another."""
