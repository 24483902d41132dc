"""What can go wrong while a query runs, and who must act. A database's own words never leave here:
they may quote rows of another tenant.
"""

from enum import StrEnum

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
    NOT_PERMITTED = "NOT_PERMITTED"
    UNAVAILABLE = "UNAVAILABLE"
    NO_SCOPE = "NO_SCOPE"
    UNKNOWN_TABLE = "UNKNOWN_TABLE"
    NOT_ALLOWED = "NOT_ALLOWED"
    MISWRITTEN = "MISWRITTEN"
    """What was written is not what was checked: a defect of ours."""
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

    def __init__(self, problem: Problem, **values: str) -> None:
        self.problem = problem
        self.values = values
        super().__init__(f"{problem}: {self.message()}")

    @property
    def actor(self) -> Actor:
        """Who must act."""
        return self.problem.actor

    def message(self, language: str = "en") -> str:
        """The friendly text in this language."""
        return hint(f"engine.{self.problem.lower()}", language, **self.values)
