"""The books into a database: PostgreSQL by COPY, DuckDB and Parquet by way of CSV."""

import csv
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
import psycopg
from psycopg import sql

from veridical.packs.trustee import schema
from veridical.packs.trustee.books import Batch, Books, stream_books
from veridical.packs.trustee.models import MODELS, Row

Progress = Callable[[str, int], None]
"""Called with the current step and the number of rows so far."""

_NULL = r"\N"


def load_postgres(
    books: Books | str, dsn: str, *, seed: int = 1, progress: Progress | None = None
) -> int:
    """Replace the pack's tables with these books (or a size by name); returns the rows loaded.

    Keys and indexes are built after the data, in the same transaction: all or nothing.
    """
    tell = progress or _silent
    with psycopg.connect(dsn) as connection, connection.cursor() as cursor:
        cursor.execute("SET LOCAL client_min_messages = warning")
        cursor.execute("SET LOCAL maintenance_work_mem = '256MB'")
        _run(cursor, (*schema.drop_tables(), *schema.create_tables()))
        rows = 0
        for batch in _batches(books, seed):
            _copy(cursor, batch)
            rows += len(batch.rows)
            tell(batch.model.__name__, rows)
        for statement in schema.create_keys():
            tell(statement, rows)
            _run(cursor, (statement,))
        connection.commit()
        for model in MODELS:
            _run(cursor, (f"ANALYZE {schema.quoted(model.__name__)}",))
    return rows


def load_duckdb(books: Books | str, connection: duckdb.DuckDBPyConnection, *, seed: int = 1) -> int:
    """Create the pack's tables in a DuckDB database and fill them; returns the rows loaded."""
    with TemporaryDirectory() as folder:
        rows = write_csv(books, Path(folder), seed=seed)
        for statement in schema.create_tables():
            connection.execute(statement)
        for model in MODELS:
            file = _csv_file(Path(folder), model)
            connection.execute(
                f"COPY {schema.quoted(model.__name__)} FROM '{file}' (HEADER, NULLSTR '{_NULL}')"
            )
    return rows


def write_csv(books: Books | str, folder: Path, *, seed: int = 1) -> int:
    r"""Write one CSV file per table, ``\N`` for nothing; returns the rows written."""
    rows = 0
    with ExitStack() as stack:
        writers = {model: csv.writer(_opened(stack, folder, model)) for model in MODELS}
        for model, writer in writers.items():
            writer.writerow(schema.columns_of(model))
        for batch in _batches(books, seed):
            writers[batch.model].writerows(
                [_NULL if value is None else value for value in row] for row in batch.rows
            )
            rows += len(batch.rows)
    return rows


def write_parquet(books: Books | str, folder: Path, *, seed: int = 1) -> int:
    """Write one Parquet file per table; returns the rows written."""
    with duckdb.connect() as connection:
        rows = load_duckdb(books, connection, seed=seed)
        for model in MODELS:
            file = folder / f"{model.__name__}.parquet"
            name = schema.quoted(model.__name__)
            connection.execute(f"COPY {name} TO '{file}' (FORMAT parquet)")
    return rows


def _batches(books: Books | str, seed: int) -> Iterator[Batch]:
    return stream_books(books, seed) if isinstance(books, str) else books.batches()


def _copy(cursor: psycopg.Cursor, batch: Batch) -> None:
    name, columns = batch.model.__name__, schema.columns_of(batch.model)
    target = sql.SQL("COPY {} ({}) FROM STDIN").format(
        sql.Identifier(name), sql.SQL(", ").join(map(sql.Identifier, columns))
    )
    with cursor.copy(target) as copy:
        for row in batch.rows:
            copy.write_row(row)


def _run(cursor: psycopg.Cursor, statements: Iterable[str]) -> None:
    for statement in statements:
        # Built from the models alone; psycopg asks for a literal unless it is given bytes.
        cursor.execute(statement.encode())


def _opened(stack: ExitStack, folder: Path, model: type[Row]):
    return stack.enter_context(_csv_file(folder, model).open("w", newline="", encoding="utf-8"))


def _csv_file(folder: Path, model: type[Row]) -> Path:
    return folder / f"{model.__name__}.csv"


def _silent(_what: str, _rows: int) -> None:
    pass
