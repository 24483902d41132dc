"""A schema from wherever it is: a pack, a database, a database file, data files, a description."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from veridical.contracts.extras import require
from veridical.contracts.schema import Column, ForeignKey, Schema, Table, value_type_of
from veridical.ontology.errors import SourceError, SourceProblem
from veridical.ontology.load import load_schema as load_described

_SQLITE_MAGIC = b"SQLite format 3\x00"
_DUCKDB_MAGIC = slice(8, 12), b"DUCK"
_PARQUET_MAGIC = b"PAR1"
_DATA = frozenset({".csv", ".tsv", ".parquet", ".xlsx"})
_HEAD = 16
_TABLES = "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE ?"


def load_schema(ref: str, dialect: str = "postgres") -> Schema:
    """The schema behind ``pack:NAME``, ``postgresql://…``, a DuckDB or SQLite file, a CSV, Excel or
    Parquet file or a folder of them, a JSON file, or a ``.sql`` or ``.ddl`` file of ``CREATE
    TABLE`` statements. Raises ``LoadError``, and ``MissingExtraError`` where a driver is missing.
    """
    if "://" in ref:
        return _behind_address(ref)
    path = Path(ref)
    if path.is_dir():
        return _of_data_files(ref, sorted(each for each in path.iterdir() if _is_data(each)))
    if not path.is_file():
        return load_described(ref, dialect=dialect)
    head = _head(path)
    if head == _SQLITE_MAGIC:
        return _of_sqlite(path)
    if head[_DUCKDB_MAGIC[0]] == _DUCKDB_MAGIC[1]:
        return _of_duckdb(path)
    if head.startswith(_PARQUET_MAGIC) or _is_data(path):
        return _of_data_files(ref, [path])
    return load_described(ref, dialect=dialect)


def dialect_of(ref: str) -> str:
    """The dialect that is asked in behind this reference: that of the file, else PostgreSQL's."""
    scheme = ref.partition("://")[0]
    if scheme in ("duckdb", "sqlite"):
        return scheme
    path = Path(ref)
    if path.is_dir():
        return "duckdb"
    head = _head(path) if path.is_file() else b""
    if head == _SQLITE_MAGIC:
        return "sqlite"
    is_duckdb = head[_DUCKDB_MAGIC[0]] == _DUCKDB_MAGIC[1] or _is_data(path)
    return "duckdb" if is_duckdb else "postgres"


def _behind_address(address: str) -> Schema:
    scheme, _, rest = address.partition("://")
    file = Path(rest.removeprefix("/"))
    if scheme in ("duckdb", "sqlite"):
        if not file.is_file():
            raise SourceError(SourceProblem.NO_FILE, source=file)
        return _of_duckdb(file) if scheme == "duckdb" else _of_sqlite(file)
    if scheme.partition("+")[0] not in ("postgresql", "postgres"):
        raise SourceError(SourceProblem.NO_SCHEME, scheme=scheme[:40])
    require("engine")
    from sqlalchemy.exc import SQLAlchemyError

    from veridical.engines import Postgres

    try:
        database = Postgres(address)
        with closing(database):
            return database.reflect()
    except (SQLAlchemyError, ValueError) as error:
        # The address is not repeated: it may hold a password.
        raise SourceError(SourceProblem.NO_ANSWER, scheme=scheme) from error


def _of_duckdb(path: Path) -> Schema:
    require("engine")
    from duckdb import Error as DuckDbError

    from veridical.engines import open_duckdb

    try:
        with closing(open_duckdb(path)) as database:
            return _with_tables(database.reflect(), path)
    except DuckDbError as error:
        raise SourceError(SourceProblem.BROKEN, source=path, kind="DuckDB") from error


def _of_data_files(ref: str, files: list[Path]) -> Schema:
    if not files:
        raise SourceError(SourceProblem.NO_DATA_FILES, source=ref)
    require("engine")
    from duckdb import Error as DuckDbError

    from veridical.engines import open_files

    try:
        with closing(open_files({each.stem: each for each in files})) as database:
            return _with_tables(database.reflect(), Path(ref))
    except (DuckDbError, ValueError, OSError) as error:
        raise SourceError(SourceProblem.BROKEN, source=ref, kind="CSV/Excel/Parquet") from error


def _of_sqlite(path: Path) -> Schema:
    """By the standard library: no extra is needed."""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as found:
            return _with_tables(Schema.of(_sqlite_tables(found)), path)
    except sqlite3.DatabaseError as error:
        raise SourceError(SourceProblem.BROKEN, source=path, kind="SQLite") from error


def _sqlite_tables(connection: sqlite3.Connection) -> Iterator[Table]:
    for (name,) in connection.execute(_TABLES, ("sqlite\\_%",)).fetchall():
        columns = connection.execute("SELECT * FROM pragma_table_info(?)", (name,)).fetchall()
        primary = sorted((each[5], each[1]) for each in columns if each[5])
        keys = [tuple(column for _, column in primary)] if primary else []
        yield Table(
            name,
            tuple(
                Column(each[1], value_type_of(each[2]), nullable=not (each[3] or each[5]))
                for each in columns
            ),
            keys=(*keys, *_sqlite_unique(connection, name)),
            foreign_keys=tuple(_sqlite_references(connection, name)),
        )


def _sqlite_unique(connection: sqlite3.Connection, table: str) -> Iterator[tuple[str, ...]]:
    indices = connection.execute("SELECT * FROM pragma_index_list(?)", (table,)).fetchall()
    for _, index, is_unique, origin, is_partial in indices:
        if is_unique and origin != "pk" and not is_partial:
            parts = connection.execute("SELECT name FROM pragma_index_info(?)", (index,)).fetchall()
            if all(name for (name,) in parts):  # an expression has no name
                yield tuple(name for (name,) in parts)


def _sqlite_references(connection: sqlite3.Connection, table: str) -> Iterator[ForeignKey]:
    rows = connection.execute("SELECT * FROM pragma_foreign_key_list(?)", (table,)).fetchall()
    for number in dict.fromkeys(row[0] for row in rows):
        parts = sorted((row for row in rows if row[0] == number), key=lambda row: row[1])
        targets = tuple(row[4] for row in parts)
        if all(targets):  # without columns it means the other table's primary key
            yield ForeignKey(tuple(row[3] for row in parts), parts[0][2], targets)
        else:
            target = connection.execute(
                "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk", (parts[0][2],)
            ).fetchall()
            if len(target) == len(parts):
                columns = tuple(row[3] for row in parts)
                yield ForeignKey(columns, parts[0][2], tuple(name for (name,) in target))


def _with_tables(schema: Schema, path: Path) -> Schema:
    if not schema.tables:
        raise SourceError(SourceProblem.NO_TABLES, source=path)
    return schema


def _head(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(_HEAD)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise SourceError(SourceProblem.UNREADABLE, source=path, reason=reason) from error


def _is_data(path: Path) -> bool:
    return path.is_file() and path.suffix.lower() in _DATA
