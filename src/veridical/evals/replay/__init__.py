"""Replays recorded runs and scores them again, without model, database or clock."""
