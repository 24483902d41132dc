"""Run traces: recorded, counted, stored, exported."""
