"""The physical schema: tables, columns, keys, as the engine reports them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class ValueType(StrEnum):
    """The families of values that the check tells apart."""

    INTEGER = "integer"
    NUMBER = "number"
    TEXT = "text"
    BOOLEAN = "boolean"
    DATE = "date"
    TIMESTAMP = "timestamp"
    TIME = "time"
    INTERVAL = "interval"
    JSON = "json"
    OTHER = "other"
    """Arrays, ranges, shapes, bytes: nothing is computed with them."""
    UNKNOWN = "unknown"

    @property
    def is_numeric(self) -> bool:
        """True for whole and fractional numbers."""
        return self is ValueType.INTEGER or self is ValueType.NUMBER

    @property
    def is_temporal(self) -> bool:
        """True for calendar dates and points in time."""
        return self is ValueType.DATE or self is ValueType.TIMESTAMP


@dataclass(frozen=True, slots=True)
class Column:
    """One column as the engine knows it."""

    name: str
    type: ValueType = ValueType.UNKNOWN
    nullable: bool = True


@dataclass(frozen=True, slots=True)
class ForeignKey:
    """Columns of one table that name rows of another."""

    columns: tuple[str, ...]
    target: str
    target_columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """One table or view: its columns, its unique keys (the primary key first), its foreign keys."""

    name: str
    columns: tuple[Column, ...]
    keys: tuple[tuple[str, ...], ...] = ()
    foreign_keys: tuple[ForeignKey, ...] = ()
    schema: str | None = None
    is_view: bool = False
    """True where the engine says so; it has no rows of its own."""


@dataclass(frozen=True, slots=True)
class Schema:
    """All tables of one database."""

    tables: Mapping[str, Table] = field(default_factory=dict[str, Table])

    @staticmethod
    def of(tables: Iterable[Table]) -> "Schema":
        """A schema of these tables, by name."""
        return Schema({table.name: table for table in tables})


_FAMILIES: tuple[tuple[ValueType, tuple[str, ...]], ...] = (
    (
        ValueType.OTHER,
        (
            "[]",
            "array",
            "range",
            "point",
            "polygon",
            "geometry",
            "geography",
            "bytea",
            "blob",
            "binary",
            "struct",
            "map(",
            "list(",
            "vector",
            "inet",
            "cidr",
        ),
    ),
    (ValueType.INTERVAL, ("interval",)),
    (ValueType.BOOLEAN, ("bool",)),
    (ValueType.TIMESTAMP, ("timestamp", "datetime")),
    (ValueType.DATE, ("date",)),
    (ValueType.TIME, ("time",)),
    (ValueType.INTEGER, ("int", "serial", "long")),
    (ValueType.NUMBER, ("num", "dec", "real", "double", "float", "money")),
    (ValueType.JSON, ("json", "variant")),
    (ValueType.TEXT, ("char", "text", "string", "uuid", "clob", "enum", "name")),
)


def value_type_of(declared: str) -> ValueType:
    """The family of a declared SQL type such as ``numeric(18,2)`` or ``character varying``."""
    lowered = declared.strip().lower()
    for family, stems in _FAMILIES:
        if any(stem in lowered for stem in stems):
            return family
    return ValueType.UNKNOWN
