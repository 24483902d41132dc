"""How much of everything is measured."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Size:
    """Amounts of work."""

    facts: int
    evidences: int
    rounds: int
    """Of facts over few rows and over many."""
    hostile: int
    """Signs of a hostile answer."""


FULL = Size(facts=20_000, evidences=400, rounds=60, hostile=100_000)
SMOKE = Size(facts=600, evidences=30, rounds=5, hostile=100_000)
