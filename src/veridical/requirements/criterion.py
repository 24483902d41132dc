"""The criteria that a requirement is scored by."""

from enum import StrEnum

PASS_MARK = 0.7
"""The score from which a requirement is good enough."""


class Criterion(StrEnum):
    """A quality of a good requirement."""

    CLARITY = "clarity"
    UNAMBIGUITY = "unambiguity"
    TESTABILITY = "testability"
    MEASURABILITY = "measurability"
    COMPLETENESS = "completeness"
    ATOMICITY = "atomicity"
    CONSISTENCY = "consistency"
    NEUTRALITY = "neutrality"
    """States the need, not the solution."""
