"""The profile of a table: per column the number of values, lowest and highest, their shapes."""

from enum import StrEnum
from functools import cached_property

from pydantic import Field as Pydantic

from veridical.contracts.schema import ValueType
from veridical.contracts.wire import Wire

Value = str | int | float | bool | None


class Sampling(StrEnum):
    """The rows that were counted."""

    NONE = "NONE"
    """all"""
    SPREAD = "SPREAD"
    """some from everywhere"""
    FIRST = "FIRST"
    """the first ones, where the engine can't do better"""


class ColumnProfile(Wire):
    """One column, counted over the rows that were seen."""

    name: str
    type: ValueType = ValueType.UNKNOWN
    filled: int = 0
    """Rows with a value."""
    distinct: int = 0
    low: Value = None
    high: Value = None
    negatives: int = 0
    fractions: int = 0
    """Numbers that are not whole."""
    longest: int = 0
    """Characters of the longest text."""
    values: tuple[tuple[Value, int], ...] = ()
    """Every value with its number of rows, where there are few."""
    shapes: dict[str, int] = Pydantic(default_factory=dict[str, int])
    """The number of sampled values that match a date, an email address, a phone number."""
    looked_at: int = 0
    """The number of sampled values."""

    @property
    def is_numeric(self) -> bool:
        """True for numbers, by its type or, without one, by its values."""
        if self.type is ValueType.UNKNOWN:
            return all(_is_number(each) for each in (self.low, self.high))
        return self.type.is_numeric

    @property
    def is_whole(self) -> bool:
        """True if all its numbers are whole."""
        return self.is_numeric and self.fractions == 0

    @property
    def is_text(self) -> bool:
        """True for texts."""
        if self.type is ValueType.UNKNOWN:
            return isinstance(self.low, str)
        return self.type is ValueType.TEXT

    @property
    def known_values(self) -> tuple[Value, ...]:
        """Its values; the first and the last of a list of unique ones."""
        values = [value for value, _ in self.values] or [self.low, self.high]
        return tuple(dict.fromkeys(value for value in values if value is not None))

    def has_shape(self, shape: str, share: float = 0.9) -> bool:
        """True if most sampled values have this shape."""
        return self.looked_at > 0 and self.shapes.get(shape, 0) >= share * self.looked_at


class TableProfile(Wire):
    """One table. ``seen`` is less than ``rows`` where it was sampled."""

    name: str
    rows: int = 0
    seen: int = 0
    is_about: bool = False
    """True if ``rows`` is an estimate by the database: counting them would read too much."""
    counted: bool = True
    """False if the budget was used up before, or reading was refused: only the schema is known."""
    is_view: bool = False
    sampling: Sampling = Sampling.NONE
    most: int = 0
    """The number of rows that the sample was to have."""
    keys: tuple[tuple[str, ...], ...] = ()
    """Declared in the database, the primary key first."""
    links: tuple[tuple[tuple[str, ...], str, tuple[str, ...]], ...] = ()
    """Foreign keys declared in the database: own columns, table, its columns."""
    columns: tuple[ColumnProfile, ...] = ()

    @cached_property
    def by_name(self) -> dict[str, ColumnProfile]:
        """The columns by name."""
        return {column.name: column for column in self.columns}

    @property
    def is_sampled(self) -> bool:
        """True if rows were left out."""
        return self.seen < self.rows

    def is_unique(self, column: ColumnProfile) -> bool:
        """True if every row seen has a unique value."""
        return 0 < self.seen == column.filled == column.distinct


def _is_number(value: Value) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
