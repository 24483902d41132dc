"""Rewrites: a user story and a scenario out of what a requirement says, and nothing more."""
