"""Answers over domains that the gate never saw: what is blocked wrongly, what is caught."""
