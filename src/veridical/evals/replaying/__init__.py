"""Recorded runs judged anew, without model, database or clock."""
