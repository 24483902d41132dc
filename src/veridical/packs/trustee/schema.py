"""The physical schema of the pack, read from its models: for the check, and as DDL."""

from collections.abc import Iterator
from functools import cache
from types import NoneType
from typing import Any, get_args

from veridical.contracts.schema import Column, Schema, Table, value_type_of
from veridical.packs.trustee.models import MODELS, TENANT, Row, SqlType, TenantRow


def columns_of(model: type[Row]) -> tuple[str, ...]:
    """The column names of a table in the order of its rows."""
    return tuple(model.model_fields)


@cache
def physical_schema() -> Schema:
    """All tables of the pack with their columns and keys."""
    return Schema.of(_table(model) for model in MODELS)


def tenant_columns() -> dict[str, tuple[str, ...]]:
    """The tenant columns of each table that has tenants."""
    return {model.__name__: TENANT for model in MODELS if issubclass(model, TenantRow)}


def shared_tables() -> frozenset[str]:
    """The reference tables, which all tenants read."""
    return frozenset(model.__name__ for model in MODELS if not issubclass(model, TenantRow))


def create_tables() -> Iterator[str]:
    """The statements that create all tables, bare: data is loaded before keys are built."""
    for model in MODELS:
        columns = ", ".join(
            f"{quoted(name)} {declared}{'' if nullable else ' NOT NULL'}"
            for name, declared, nullable in _declared(model)
        )
        yield f"CREATE TABLE {quoted(model.__name__)} ({columns})"


def drop_tables() -> Iterator[str]:
    """The statements that drop all tables, those that refer to others first."""
    for model in reversed(MODELS):
        yield f"DROP TABLE IF EXISTS {quoted(model.__name__)} CASCADE"


def create_keys() -> Iterator[str]:
    """The statements that add primary keys, then foreign keys, then the indexes for access."""
    for model in MODELS:
        yield f"ALTER TABLE {quoted(model.__name__)} ADD PRIMARY KEY ({_listed(model.key)})"
    for model in MODELS:
        for foreign in model.references:
            yield (
                f"ALTER TABLE {quoted(model.__name__)} ADD FOREIGN KEY ({_listed(foreign.columns)})"
                f" REFERENCES {quoted(foreign.target)} ({_listed(foreign.target_columns)})"
            )
    for model in MODELS:
        for columns in model.indexes:
            yield f"CREATE INDEX ON {quoted(model.__name__)} ({_listed(columns)})"


def quoted(name: str) -> str:
    """A name as SQL must write it to keep its capitals."""
    return f'"{name}"'


def _listed(columns: tuple[str, ...]) -> str:
    return ", ".join(quoted(column) for column in columns)


def _table(model: type[Row]) -> Table:
    columns = tuple(
        Column(name, value_type_of(declared), nullable)
        for name, declared, nullable in _declared(model)
    )
    return Table(model.__name__, columns, keys=(model.key,), foreign_keys=model.references)


def _declared(model: type[Row]) -> Iterator[tuple[str, str, bool]]:
    for name, field in model.model_fields.items():
        nullable = NoneType in get_args(field.annotation)
        marks = [*field.metadata, *_marks_within(field.annotation)]
        declared = next((mark.name for mark in marks if isinstance(mark, SqlType)), "text")
        yield name, declared, nullable


def _marks_within(annotation: Any) -> Iterator[Any]:
    for part in get_args(annotation):
        yield from getattr(part, "__metadata__", ())
