"""Evidence search, measured: quality beside plain engines, cost, and growth."""
