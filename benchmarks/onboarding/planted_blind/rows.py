"""Rows into a table."""

import sqlite3
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

Row = tuple[Any, ...]


def insert(connection: sqlite3.Connection, table: str, rows: Iterable[Row]) -> None:
    """All rows, each with a value for every column."""
    held = list(rows)
    marks = ", ".join("?" * len(held[0]))
    connection.executemany(f'INSERT INTO "{table}" VALUES ({marks})', held)


def seconds(year: int, month: int, day: int) -> int:
    """The Unix time of a midnight."""
    return int(datetime(year, month, day, tzinfo=UTC).timestamp())
