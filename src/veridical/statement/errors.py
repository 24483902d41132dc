"""Errors of a running query, and who must act. Of a database's message only a reason is kept that
quotes the statement and no row, as the rest may contain rows of others.
"""

from enum import StrEnum

from veridical.messages import message
from veridical.messages.hints import hint


class Actor(StrEnum):
    """Who can put a problem right."""

    MODEL = "model"
    USER = "user"
    HOST = "host"


class Problem(StrEnum):
    """Why a query gave no result."""

    TIMEOUT = "TIMEOUT"
    LOCKED = "LOCKED"
    BAD_VALUE = "BAD_VALUE"
    DIVISION_BY_ZERO = "DIVISION_BY_ZERO"
    TOO_LARGE = "TOO_LARGE"
    OVER_COST_BUDGET = "OVER_COST_BUDGET"
    NOT_PERMITTED = "NOT_PERMITTED"
    UNAVAILABLE = "UNAVAILABLE"
    NO_SCOPE = "NO_SCOPE"
    UNKNOWN_TABLE = "UNKNOWN_TABLE"
    NOT_ALLOWED = "NOT_ALLOWED"
    MISWRITTEN = "MISWRITTEN"
    """the written statement differs from the checked one: a defect of ours"""
    FAILED = "FAILED"

    @property
    def actor(self) -> Actor:
        """Who must act on it."""
        return _ACTORS.get(self, Actor.MODEL)


_ACTORS = {
    Problem.LOCKED: Actor.USER,
    Problem.NOT_PERMITTED: Actor.USER,
    Problem.UNAVAILABLE: Actor.HOST,
    Problem.NO_SCOPE: Actor.HOST,
    Problem.MISWRITTEN: Actor.HOST,
}


class EngineError(Exception):
    """A query that gave no result. Its text is safe to show."""

    def __init__(self, problem: Problem, *, reason: str = "", **values: str) -> None:
        self.problem = problem
        self.reason = reason
        """Why the database would not run the statement, in its words; empty where there was nothing
        that may be shown."""
        self.values = values
        super().__init__(f"{problem}: {self.message()}")

    @property
    def actor(self) -> Actor:
        """Who must act."""
        return self.problem.actor

    def message(self, language: str = "en") -> str:
        """The friendly text in this language."""
        if self.reason and self.problem is Problem.FAILED:
            return message("engine.failed_because", language, reason=self.reason)
        text = hint(f"engine.{self.problem.lower()}", language, **self.values)
        because = message("engine.because", language, reason=self.reason) if self.reason else ""
        return f"{text} {because}".rstrip()
