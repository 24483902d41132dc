"""Known questions, proposed from what people asked and confirmed. Pure: nothing is read or kept."""
