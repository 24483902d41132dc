"""Files into tables: CSV and Parquet by DuckDB's readers, Excel by openpyxl."""

import csv
import datetime as dt
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import duckdb
from openpyxl import load_workbook

from veridical.statement.scope import base_table

_READERS = {
    ".csv": "read_csv($1)",
    ".tsv": "read_csv($1, delim = '\\t')",
    ".txt": "read_csv($1)",
    ".parquet": "read_parquet($1)",
}
_EXCEL = frozenset({".xlsx", ".xlsm"})
_NULL = "\\N"
FORMATS = frozenset(_READERS) | _EXCEL
"""The endings of the files that can be read."""


class Sheet(NamedTuple):
    """One sheet of a workbook: the names in its first row, then its values."""

    name: str
    header: tuple[str, ...]
    rows: list[tuple[Any, ...]]


def load(
    connection: duckdb.DuckDBPyConnection, namespace: tuple[str, ...], name: str, path: Path
) -> None:
    """Copies a file into a table of this name. Raises ``ValueError`` for a kind it can't read."""
    ending = path.suffix.lower()
    if ending in _READERS:
        _create(connection, namespace, name, _READERS[ending], [str(path)])
    elif ending in _EXCEL:
        sheets = list(_sheets(path))
        for sheet in sheets:
            table = name if len(sheets) == 1 else f"{name}_{sheet.name}"
            _load_sheet(connection, namespace, table, sheet)
    else:
        raise ValueError(f"{path.name}: can read {', '.join(sorted(FORMATS))}")


def _create(
    connection: duckdb.DuckDBPyConnection,
    namespace: tuple[str, ...],
    name: str,
    source: str,
    values: Sequence[str],
) -> None:
    table = base_table((*namespace, name)).sql("duckdb")
    filling = f"CREATE TABLE {table} AS SELECT * FROM {source}"  # noqa: S608 # quoted
    connection.execute(filling, values)


def _sheets(path: Path) -> Iterator[Sheet]:
    workbook = load_workbook(path, read_only=True, data_only=True)
    try:
        for sheet in workbook.worksheets:
            sheet.reset_dimensions()  # the declared size may be a million empty rows
            rows = sheet.iter_rows(values_only=True)
            header = _header(next(rows, ()))
            if header:
                yield Sheet(sheet.title, header, [_cells(row, len(header)) for row in rows])
    finally:
        workbook.close()


def _header(row: Sequence[Any]) -> tuple[str, ...]:
    names: list[str] = []
    for number, value in enumerate(row, start=1):
        name = str(value).strip() if value is not None else ""
        taken = not name or name.casefold() in map(str.casefold, names)
        names.append(f"{name or 'column'}_{number}" if taken else name)
    return tuple(names)


def _cells(row: Sequence[Any], width: int) -> tuple[Any, ...]:
    """The row at the header's width. Excel has no dates, only midnights."""
    padded = (*row[:width], *[None] * (width - len(row)))
    return tuple(
        value.date() if isinstance(value, dt.datetime) and value.time() == dt.time.min else value
        for value in padded
    )


def _load_sheet(
    connection: duckdb.DuckDBPyConnection, namespace: tuple[str, ...], name: str, sheet: Sheet
) -> None:
    # By way of a CSV file: inserting row by row takes minutes where this takes a second.
    with TemporaryDirectory() as folder:
        path = Path(folder) / "sheet.csv"
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            for row in sheet.rows:
                if any(value is not None for value in row):
                    writer.writerow(_NULL if value is None else value for value in row)
        types = [_type_of(column) for column in _columns(sheet)]
        declared = ", ".join(
            f"{_text(column)}: {_text(kind)}"
            for column, kind in zip(sheet.header, types, strict=True)
        )
        options = f"header = false, nullstr = '{_NULL}', columns = {{{declared}}}"
        source = f"read_csv($1, {options})"
        _create(connection, namespace, name, source, [str(path)])


def _columns(sheet: Sheet) -> list[list[Any]]:
    return [[row[index] for row in sheet.rows] for index in range(len(sheet.header))]


def _type_of(values: Sequence[Any]) -> str:
    kinds = {type(value) for value in values if value is not None}
    for family, declared in (
        ({bool}, "BOOLEAN"),
        ({int}, "BIGINT"),
        ({int, float}, "DOUBLE"),
        ({dt.date}, "DATE"),
        ({dt.date, dt.datetime}, "TIMESTAMP"),
        ({dt.time}, "TIME"),
    ):
        if kinds and kinds <= family:
            return declared
    return "VARCHAR"


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
