"""The server and its workers under load, and what they cost beside doing it without Veridical."""
