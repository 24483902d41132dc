"""A computed value, a column of them, and why there is none."""

from collections.abc import Iterable, Sequence
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
    units: Sequence[Dimension | None] = ()
    """The dimension of each row where they differ: an account in francs beside one in euros."""

    def at(self, place: int) -> Value | None:
        """The value of one row."""
        found = self.values[place]
        if found is None:
            return None
        dimension = self.units[place] if self.units else self.dimension
        return Value(self.kind, found, dimension, self.scale, self.digits,
                     decimals=self.decimals)  # fmt: skip

    def having(self, values: Sequence[Scalar | None]) -> "Vector":
        """The same column with other values, row by row."""
        return Vector(
            self.name, self.kind, values, self.dimension, self.scale, self.digits,
            self.additivity, self.columns, self.decimals, self.units,
        )  # fmt: skip

    def over(self, places: Sequence[int]) -> "Vector":
        """The same column over some of its rows, in this order."""
        found = self.having(list(map(self.values.__getitem__, places)))
        return found.in_units([self.units[at] for at in places]) if self.units else found

    def in_units(self, units: Sequence[Dimension | None]) -> "Vector":
        """The same with the dimension of each row: one for all where all are of one."""
        found = self.having(self.values)
        known = {unit for unit, each in zip(units, self.values, strict=True) if each is not None}
        if len(known) == 1:
            found.dimension, found.units = known.pop(), ()
        else:
            found.units = units if known else ()
        return found

    def ensure_one_unit(self, places: Iterable[int] | None = None) -> Dimension | None:
        """The dimension of these rows, of all if none are named. Raises ``FactError`` where there
        are several: they can neither be added nor compared."""
        if not self.units:
            return self.dimension
        rows = range(len(self.values)) if places is None else places
        found = {self.units[at] for at in rows if self.values[at] is not None}
        if len(found) > 1:
            units = sorted(each.unit if each else "?" for each in found)
            raise FactError(Reason.MIXED_UNITS, self.name, units)
        return found.pop() if found else self.dimension

    @property
    def known(self) -> list[Scalar]:
        """The values that there are."""
        return [each for each in self.values if each is not None]

    @property
    def is_empty(self) -> bool:
        """True if no row has a value."""
        return all(each is None for each in self.values)


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
    MIXED_UNITS = "mixedUnits"
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
