"""The physical schema: tables, columns, keys, as the engine reports them."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum


class ValueType(StrEnum):
    """The families of values that the check distinguishes."""

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
    target_schema: str | None = None
    """The target's schema, as long as the tables of several schemas are not yet distinguished."""


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
    own_name: str = ""
    """Its name in the database, where another schema has the table that is called so here."""

    def place(self, namespace: tuple[str, ...]) -> tuple[str, ...]:
        """Its full name, part by part, in a database whose tables are in this namespace."""
        return table_place(namespace, self.schema, self.own_name or self.name)


@dataclass(frozen=True, slots=True)
class Schema:
    """All tables of one database."""

    tables: Mapping[str, Table] = field(default_factory=dict[str, Table])

    @property
    def hash(self) -> str:
        """The identity of its tables and columns, whatever their order."""
        tables = (
            (name, table.schema, sorted((each.name, each.type.value) for each in table.columns))
            for name, table in self.tables.items()
        )
        return hashlib.sha256(repr(sorted(tables, key=str)).encode()).hexdigest()[:16]

    @staticmethod
    def of(tables: Iterable[Table]) -> "Schema":
        """A schema of these tables, by name."""
        return Schema({table.name: table for table in tables})

    @staticmethod
    def of_schemas(tables: Iterable[Table]) -> "Schema":
        """The tables of several schemas, those of the first choice first.

        As in a search path, a name means the first table that has it; a later one is called
        ``schema__table``. Links to tables that are not among these are left out.
        """
        found = list(tables)
        owners: dict[str, str | None] = {}
        for table in found:
            owners.setdefault(table.name.casefold(), table.schema)
        names = _Names()
        for table in found:
            is_first = owners[table.name.casefold()] == table.schema
            free = table.name if is_first else f"{table.schema}__{table.name}"
            while not is_first and free.casefold() in owners:
                free += "_"
            owners.setdefault(free.casefold(), table.schema)
            names.add(table, free)
        return Schema.of(map(names.applied, found))


def table_place(namespace: tuple[str, ...], schema: str | None, name: str) -> tuple[str, ...]:
    """The full name of a table: in its own schema where it is known, else in the namespace."""
    return (*namespace[:-1], schema, name) if schema else (*namespace, name)


class _Names:
    """The names of tables of several schemas in one namespace."""

    def __init__(self) -> None:
        self._exact: dict[tuple[str | None, str], str] = {}
        self._folded: dict[tuple[str | None, str], str] = {}
        self._first: dict[str, str] = {}

    def add(self, table: Table, name: str) -> None:
        folded = table.name.casefold()
        self._exact[table.schema, table.name] = name
        self._folded.setdefault((table.schema, folded), name)
        self._first.setdefault(folded, name)

    def applied(self, table: Table) -> Table:
        """The table under its name here, with links to those that stand here too."""
        name = self._exact[table.schema, table.name]
        links = (
            replace(link, target=target, target_schema=None)
            for link in table.foreign_keys
            if (target := self._target(link, table.schema)) is not None
        )
        own_name = "" if name == table.name else table.name
        return replace(table, name=name, own_name=own_name, foreign_keys=tuple(links))

    def _target(self, link: ForeignKey, home: str | None) -> str | None:
        """Scripts leave out schemas, and write names in any case."""
        folded = link.target.casefold()
        for schema in dict.fromkeys((link.target_schema or home, None)):
            found = self._exact.get((schema, link.target)) or self._folded.get((schema, folded))
            if found is not None:
                return found
        return None if link.target_schema else self._first.get(folded)


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
