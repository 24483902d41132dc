"""What a model may call: each tool is check, run, record, and never raises for bad arguments."""
