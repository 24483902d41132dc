"""A computed value, a column of them, and why there is none."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from veridical.evidence.column import Additivity, CellKind
from veridical.evidence.dimension import Dimension

Scalar = float | str | bool | date | datetime
_LONGEST_SUBJECT = 200


@dataclass(slots=True, unsafe_hash=True)  # made by the thousand: a frozen one takes thrice as long
class Value:
    """One typed value; figures are in the base unit of their dimension. Never changed."""

    kind: CellKind
    value: Scalar
    dimension: Dimension | None = None
    scale: float = 1.0
    """The unit that it is printed in, in base units: 60 for minutes."""
    digits: int | None = None
    """The decimals of its cells; none where it was computed."""
    is_literal: bool = False
    """Written by the author of the fact: takes the unit of what it is compared with."""
    decimals: int | None = None
    """The decimals that the owner of the data wants printed."""

    @property
    def number(self) -> float:
        """The figure. Raises ``FactError`` for anything else."""
        if self.kind is not CellKind.FIGURE or not isinstance(self.value, float):
            raise FactError(Reason.NOT_A_FIGURE, str(self.value))
        return self.value


@dataclass(slots=True, eq=False)
class Vector:
    """One value for each row in scope; none where the cell is empty. Never changed."""

    name: str
    kind: CellKind
    values: Sequence[Scalar | None]
    dimension: Dimension | None = None
    scale: float = 1.0
    digits: int | None = None
    additivity: Additivity = Additivity.NEVER
    columns: frozenset[str] = frozenset()
    """The columns that it was computed from."""
    decimals: int | None = None

    def at(self, place: int) -> Value | None:
        """The value of one row."""
        found = self.values[place]
        if found is None:
            return None
        return Value(self.kind, found, self.dimension, self.scale, self.digits,
                     decimals=self.decimals)  # fmt: skip

    def having(self, values: Sequence[Scalar | None]) -> "Vector":
        """The same column over other rows."""
        return Vector(
            self.name, self.kind, values, self.dimension, self.scale, self.digits,
            self.additivity, self.columns, self.decimals,
        )  # fmt: skip

    @property
    def known(self) -> list[Scalar]:
        """The values that there are."""
        return [each for each in self.values if each is not None]


Found = Value | Vector | None
"""The result of an expression: one value, one for each row, or none."""


class Reason(StrEnum):
    """Why a fact could not be computed. The catalogue has a sentence for each."""

    SYNTAX = "syntax"
    FORM = "form"
    ARGUMENT = "argument"
    NO_RESULT = "noResult"
    NO_COLUMN = "noColumn"
    NO_ROW = "noRow"
    SEVERAL_ROWS = "severalRows"
    NO_VALUE = "noValue"
    NOT_A_FIGURE = "notAFigure"
    DIMENSIONS = "dimensions"
    NOT_ADDITIVE = "notAdditive"
    ZERO = "zero"
    SCALE = "scale"
    """a factor for a scale that the host knows of"""
    PART = "part"
    PRESENT = "present"
    BUDGET = "budget"


class FactError(Exception):
    """A fact without a value; the reason goes back to its author."""

    def __init__(self, reason: Reason, subject: str = "", choices: Sequence[str] = ()) -> None:
        subject = subject[:_LONGEST_SUBJECT]
        super().__init__(f"{reason}: {subject}")
        self.reason = reason
        self.subject = subject
        self.choices = tuple(choices)
