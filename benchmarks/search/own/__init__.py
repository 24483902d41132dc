"""The project's own judged set: office rules in three languages, with copies and old versions."""
