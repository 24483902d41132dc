"""A toy engine as another package would bring it: a file of JSON lines as one table in memory.

It uses public names only, and is made safe with what SQLite offers for a database in memory.
"""

import json
import sqlite3
import time
from pathlib import Path
from threading import Lock
from typing import Any

from veridical.contracts.caller import Scope
from veridical.contracts.schema import Column, Schema, Table, ValueType
from veridical.contracts.statement import Statement
from veridical.engines import (
    EngineError,
    EngineKind,
    Fetched,
    Label,
    Limits,
    Problem,
    collect,
    lazy_connect,
    mapped,
)

_TYPES = {int: ValueType.INTEGER, float: ValueType.NUMBER, bool: ValueType.BOOLEAN}
_ALLOWED = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION}


class JsonLines:
    """The rows of one file, read once."""

    dialect = "sqlite"
    namespace = ("main",)

    def __init__(self, path: Path) -> None:
        self._table = path.stem
        self._rows: list[dict[str, Any]] = [
            json.loads(line) for line in path.read_text("utf-8").splitlines()
        ]
        self._one_at_a_time = Lock()
        self._memory = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
        columns = ", ".join(f'"{name}"' for name in self._rows[0])
        marks = ", ".join("?" * len(self._rows[0]))
        self._memory.execute(f'CREATE TABLE "{self._table}" ({columns})')
        self._memory.executemany(
            f'INSERT INTO "{self._table}" VALUES ({marks})',
            [tuple(row.values()) for row in self._rows],
        )
        self._memory.set_authorizer(_authorize)

    def fetch(self, statement: Statement, scope: Scope, rows: int, limits: Limits) -> Fetched:
        def fetched() -> Fetched:
            deadline = time.monotonic() + limits.statement_ms / 1000
            values = {str(place): value for place, value in enumerate(statement.parameters, 1)}
            with self._one_at_a_time:
                self._memory.set_progress_handler(lambda: time.monotonic() > deadline, 1000)
                cursor = self._memory.execute(statement.sql, values)
                names = [each[0] for each in cursor.description or ()]
                return collect(names, iter(lambda: cursor.fetchmany(100), []), rows, limits.bytes)

        return mapped(fetched, _problem)

    def reflect(self) -> Schema:
        columns = (
            Column(name, _TYPES.get(type(value), ValueType.TEXT))
            for name, value in self._rows[0].items()
        )
        return Schema.of([Table(self._table, tuple(columns))])

    def close(self) -> None:
        self._memory.close()


def connect(address: str, role: str | None, connections: int) -> JsonLines:
    del role, connections
    path = Path(address.removeprefix("jsonl:///"))
    if not path.is_file():
        raise EngineError(Problem.UNAVAILABLE)
    return JsonLines(path)


def _authorize(action: int, *_: object) -> int:
    return sqlite3.SQLITE_OK if action in _ALLOWED else sqlite3.SQLITE_DENY


def _problem(error: Exception) -> Problem | None:
    return Problem.FAILED if isinstance(error, sqlite3.Error) else None


ENGINE = EngineKind(
    name="jsonl",
    title="JSON lines",
    dialect="sqlite",
    connect=lazy_connect("tests.engines.json_lines:connect"),
    label=Label.IN_PROCESS,
    addresses=("jsonl:///PATH",),
    schemes=("jsonl",),
    recognises=lambda path: path.suffix == ".jsonl",
)
