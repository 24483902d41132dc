"""The criteria that a requirement is scored by."""

from enum import StrEnum

PASS_MARK = 0.7
"""The score from which a requirement is good enough."""


class Criterion(StrEnum):
    """What a good requirement is."""

    CLARITY = "clarity"
    UNAMBIGUITY = "unambiguity"
    TESTABILITY = "testability"
    MEASURABILITY = "measurability"
    COMPLETENESS = "completeness"
    ATOMICITY = "atomicity"
    CONSISTENCY = "consistency"
    NEUTRALITY = "neutrality"
    """It says what is needed, and not how to build it."""
