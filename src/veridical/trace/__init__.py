"""What happened in a run: recorded, counted, stored, exported."""
