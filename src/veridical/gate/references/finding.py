"""What is wrong with a referenced answer, in words from which its writer can mend it."""

from dataclasses import dataclass
from enum import StrEnum


class Problem(StrEnum):
    """Why a part of an answer is not proven."""

    SYNTAX = "syntax"
    NO_VALUE = "noValue"
    DIMENSIONS = "dimensions"
    NOT_ADDITIVE = "notAdditive"
    TRUNCATED = "truncated"
    BUDGET = "budget"
    FALSE = "false"
    """a condition that does not hold"""
    WORDS = "words"
    """words that their condition does not license"""
    NUMBER = "number"
    """a number in a claim that its condition does not have"""
    NAME = "name"
    """a figure that does not stand with the name of its row"""
    ROWS = "rows"
    """a figure over some rows without saying which"""
    MEASURE = "measure"
    """a figure beside the words of another column"""
    OPERATION = "operation"
    UNIT = "unit"
    PERIOD = "period"
    TYPED = "typed"
    """a figure, date or name that is typed"""
    CLAIMED = "claimed"
    """a word of comparison outside of a claim"""
    CAUSE = "cause"
    UNSOUND = "unsound"
    """a figure that compares or divides what does not belong together"""
    REPEATED = "repeated"
    """the same figure where two are meant: from 5 to 5"""
    QUOTE = "quote"
    """said to be of the question, and is not"""


CONTRADICTED = frozenset({Problem.FALSE})
"""Problems that the evidence speaks against; the others are only unproven."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One problem, at its place in the shown text."""

    problem: Problem
    start: int
    end: int
    said: str
    """The words or the source that it is about."""
    wanted: str = ""
    """What would mend it."""
