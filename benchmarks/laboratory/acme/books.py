"""The ACME tables in DuckDB: DDL from the published script, data from the CSV files."""

import csv
from collections.abc import Iterator
from dataclasses import replace
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import duckdb
from sqlglot import exp
from sqlglot.errors import SqlglotError

from veridical.contracts.schema import ForeignKey, Schema, Table, ValueType
from veridical.engines.duckdb import HOME, DuckDb
from veridical.evals.gold.oracle import RunSql, Truth
from veridical.ontology.ddl import schema_from_ddl
from veridical.ontology.errors import LoadError
from veridical.statement.scope import base_table

_CATALOG, _SCHEMA = HOME
_DIALECT = "tsql"
_STORED = {
    ValueType.INTEGER: "BIGINT",
    ValueType.NUMBER: "DECIMAL(15, 2)",
    ValueType.TIMESTAMP: "DATE",
}
"""The script says ``datetime`` where the files have days; a file with hours would not load."""


def open_books(script: Path, files: Path) -> DuckDb:
    """The tables for the tools: locked and read-only."""
    return DuckDb(_loaded(script, files))


def books_oracle(script: Path, files: Path) -> RunSql:
    """The same tables loaded once more for their owner, whom no tool stands between."""
    connection = _loaded(script, files)

    def run(sql: str) -> Truth:
        try:
            with connection.cursor() as cursor:  # it begins outside of the tables' catalog
                cursor.execute(f"USE {_CATALOG}.{_SCHEMA}").execute(sql)
                columns = tuple(column[0] for column in cursor.description or ())
                return Truth(columns, tuple(cursor.fetchall()))
        except duckdb.Error as error:
            raise LoadError(f"{error}: {' '.join(sql.split())[:120]}") from error

    return run


def _loaded(script: Path, files: Path) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute(f"ATTACH ':memory:' AS {_CATALOG}")
    connection.execute(f"USE {_CATALOG}.{_SCHEMA}")
    for table in _targets_first(_schema(script)):
        path = files / f"{table.name}.csv"
        try:
            connection.execute(_creation(table))
            connection.execute(_filling(table, _header(path)), [str(path)])
        except (duckdb.Error, OSError, StopIteration) as error:
            raise LoadError(f"{path} does not load: {error}") from error
    connection.execute("USE memory")
    return connection


def _schema(script: Path) -> Schema:
    try:
        return schema_from_ddl(script.read_text("utf-8"), _DIALECT)
    except (OSError, SqlglotError) as error:
        raise LoadError(f"{script} holds no tables: {error}") from error


def _targets_first(schema: Schema) -> Iterator[Table]:
    """The tables in an order in which each finds those that it refers to."""
    tables = {
        table.name: replace(table, foreign_keys=tuple(_telling(table)))
        for table in schema.tables.values()
    }
    order = TopologicalSorter(
        {name: {key.target for key in table.foreign_keys} for name, table in tables.items()}
    )
    try:
        return (tables[name] for name in tuple(order.static_order()))
    except CycleError as error:
        raise LoadError(f"tables refer to each other: {error.args[1]}") from error


def _telling(table: Table) -> Iterator[ForeignKey]:
    """Without keys by which each row refers to itself."""
    for key in table.foreign_keys:
        if (key.target, key.target_columns) != (table.name, key.columns):
            yield key


def _creation(table: Table) -> str:
    """Keys are unique and no more: the files leave columns empty that the script demands."""
    parts = [f"{_quoted(column.name)} {_stored(column.type)}" for column in table.columns]
    parts += (f"UNIQUE ({_listed(key)})" for key in table.keys)
    parts += (
        f"FOREIGN KEY ({_listed(key.columns)})"
        f" REFERENCES {_quoted(key.target)} ({_listed(key.target_columns)})"
        for key in table.foreign_keys
    )
    return f"CREATE TABLE {_placed(table)} ({', '.join(parts)})"


def _filling(table: Table, header: list[str]) -> str:
    """The columns by their names: files and script need not have the same order."""
    declared = {column.name.casefold(): column for column in table.columns}
    unknown = [name for name in header if name.casefold() not in declared]
    if unknown:
        raise LoadError(f"{table.name} has no column {', '.join(unknown)}")
    types = ", ".join(
        f"{_text(name)}: {_text(_stored(declared[name.casefold()].type))}" for name in header
    )
    source = f"read_csv($1, header = true, columns = {{{types}}}, nullstr = '')"
    # Names are quoted, the path is a value.
    return f"INSERT INTO {_placed(table)} BY NAME SELECT * FROM {source}"


def _header(path: Path) -> list[str]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return next(csv.reader(file))


def _stored(kind: ValueType) -> str:
    return _STORED.get(kind, "VARCHAR")


def _placed(table: Table) -> str:
    return base_table((*HOME, table.name)).sql("duckdb")


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(map(_quoted, names))


def _quoted(name: str) -> str:
    return exp.to_identifier(name, quoted=True).sql("duckdb")


def _text(value: str) -> str:
    return exp.Literal.string(value).sql("duckdb")
