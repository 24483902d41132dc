"""The answer gate: what an answer claims, what bears it out, and whether it may be shown."""
