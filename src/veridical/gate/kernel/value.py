"""What an expression comes to: a figure in base units, a text, a day, or a selection of rows."""

from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from typing import NamedTuple

from veridical.evidence.dimension import Dimension
from veridical.evidence.table import Table


class Place(NamedTuple):
    """One cell of the evidence."""

    table: str
    row: int
    column: int


Places = frozenset[Place]
NOWHERE: Places = frozenset()


@dataclass(frozen=True, slots=True)
class Figure:
    """A number in the base unit of its dimension, with the cells that it rests on."""

    value: float
    dimension: Dimension
    places: Places = NOWHERE
    scale: float = 1.0
    """The unit that it is shown in, in base units: 60 for minutes."""
    digits: int | None = None
    """How many decimals its cells have; none where it is computed otherwise."""


@dataclass(frozen=True, slots=True)
class Word:
    """A text."""

    value: str
    places: Places = NOWHERE


@dataclass(frozen=True, slots=True)
class Time:
    """A day or a moment."""

    value: date | datetime
    places: Places = NOWHERE


Value = Figure | Word | Time


@dataclass(frozen=True, slots=True)
class Selection:
    """Rows of one table, in their order."""

    table: Table
    rows: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Series:
    """One value for each row of a selection; none where its cell is empty."""

    selection: Selection
    values: tuple[Value | None, ...]
    column: int | None = None
    """Where it is a column of the table."""
    is_additive: bool = True


class Reason(StrEnum):
    """Why an expression has no value."""

    NO_TABLE = "noTable"
    NO_COLUMN = "noColumn"
    NO_ROW = "noRow"
    SEVERAL_ROWS = "severalRows"
    NO_VALUE = "noValue"
    """its cell is empty, or there is nothing to reduce"""
    NOT_A_FIGURE = "notAFigure"
    DIMENSIONS = "dimensions"
    NOT_ADDITIVE = "notAdditive"
    ZERO = "zero"
    """a division by nothing"""
    SYNTAX = "syntax"
    BUDGET = "budget"


class EvaluationError(Exception):
    """An expression without a value; the reason goes back to whoever wrote it."""

    def __init__(self, reason: Reason, subject: str = "") -> None:
        super().__init__(f"{reason}: {subject}")
        self.reason = reason
        self.subject = subject


@dataclass(slots=True)
class Budget:
    """Steps that one evaluation may take: cells read and rows looked at."""

    left: int = field(default=200_000)

    def spend(self, steps: int) -> None:
        """Raises ``EvaluationError`` where the budget is used up."""
        self.left -= steps
        if self.left < 0:
            raise EvaluationError(Reason.BUDGET)
