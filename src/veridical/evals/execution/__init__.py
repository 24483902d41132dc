"""Executes gold questions: planned, answered by a model, recorded, scored and stored."""
