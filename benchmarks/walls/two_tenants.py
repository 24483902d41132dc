"""Two databases of every engine that is here, which differ in the other tenant's rows only.

What the caller is shown must be the same on both, whatever a statement does: no encoding, no
ordering and no error can then hide a row that is not the caller's.
"""

import sqlite3
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import chdb
import duckdb
import psycopg

from benchmarks.engines.mariadb import local_mariadb
from veridical.check.checker import Checker
from veridical.contracts.call import SqlCall
from veridical.contracts.caller import Caller, Scope
from veridical.contracts.schema import Column, Schema, Table, ValueType
from veridical.contracts.statement import Statement
from veridical.engines import Engine, EngineError, Limits
from veridical.engines.engine import Outcome
from veridical.engines.limits import Fetched
from veridical.engines.registry import engine_of
from veridical.ontology.compile import compile_catalog
from veridical.sample.postgres import local_postgres
from veridical.statement.scope import base_table

ALPHA = Caller(Scope({"tenant": ("alpha",)}))
LIMITS = Limits(rows=200, statement_ms=2_000)
COLUMNS = {
    "tenant": ValueType.TEXT,
    "n": ValueType.INTEGER,
    "note": ValueType.TEXT,
    "total": ValueType.NUMBER,
    "day": ValueType.DATE,
}
CATALOG = compile_catalog(
    Schema.of([Table("invoice", tuple(Column(*each) for each in COLUMNS.items()), keys=(("n",),))])
)
_OWN = "('alpha', 1, 'own one', 10, '2025-01-15'), ('alpha', 2, 'own two', 20, '2025-02-15')"
_OTHERS = {
    "near": ("('beta', 1, 'zz-near', 999, '2031-05-05')",),
    "far": (
        "('beta', 1, 'zz-far', 111, '1999-09-09')",
        "('beta', 2, 'aa-far', 222, '1999-09-10')",
    ),
}
NAMES = tuple(_OTHERS)
SECRETS = ("zz-near", "zz-far", "aa-far")


_TELLS_THE_TIME = ("now", "current", "rand", "today", "local", "yesterday")


@dataclass(frozen=True, slots=True)
class Twins:
    """The two databases of one engine."""

    checker: Checker
    engines: tuple[Engine, ...]
    place: str
    """The full name of the table in the first of them, for statements that name it."""

    def leaks_checked(self, sql: str) -> bool | None:
        """Whether a statement that passes the check shows more; none for one that does not pass."""
        verdict = self.checker.check(SqlCall(sql=sql), ALPHA)
        if not verdict:
            return None
        shown = [_shown(partial(engine.run, verdict)) for engine in self.engines]
        return _differ(shown, sql)

    def leaks(self, statements: Sequence[Statement], sql: str) -> bool:
        """Whether a statement, as written for each database, shows another tenant's rows."""
        shown = [
            _shown(partial(engine.database.fetch, statement, ALPHA.scope, LIMITS.rows, LIMITS))
            for engine, statement in zip(self.engines, statements, strict=True)
        ]
        return _differ(shown, sql)


def _shown(read: Callable[[], Outcome | Fetched]) -> Any:
    """All that a caller sees: names and rows, or the kind of the problem."""
    try:
        found = read()
    except EngineError as error:
        return str(error.problem)
    return found.columns, found.rows


def _differ(shown: Sequence[Any], sql: str) -> bool:
    if any(secret in repr(each) for each in shown for secret in SECRETS):
        return True
    return shown[0] != shown[1] and not any(word in sql.lower() for word in _TELLS_THE_TIME)


@contextmanager
def open_twins(folder: Path) -> Generator[dict[str, Twins]]:
    """The twins of every engine that can be had here, by its dialect."""
    with ExitStack() as stack:
        addresses = {
            "sqlite": [_sqlite(folder / f"{name}.sqlite", name) for name in NAMES],
            "duckdb": [_duckdb(folder / f"{name}.duckdb", name) for name in NAMES],
            "clickhouse": _clickhouse(folder / "clickhouse"),
        }
        server = stack.enter_context(local_postgres(folder / "pg"))
        addresses["postgres"] = [_postgres(server.create_database(name), name) for name in NAMES]
        maria = stack.enter_context(local_mariadb())
        addresses["mysql"] = [_mariadb(maria, name) for name in NAMES]
        twins: dict[str, Twins] = {}
        for dialect, pair in addresses.items():
            # On PostgreSQL without a reader's role: the rewriting and the reading back alone.
            kinds = ((engine_of(each), each) for each in pair)
            opened = tuple(kind.open(each, None, 2) for kind, each in kinds if kind is not None)
            for database in opened:
                stack.callback(database.close)
            engines = tuple(Engine(each, CATALOG, limits=LIMITS) for each in opened)
            place = base_table((*opened[0].namespace, "invoice")).sql(dialect)
            twins[dialect] = Twins(Checker(CATALOG, dialect), engines, place)
        yield twins


def _rows(name: str) -> str:
    return ", ".join((_OWN, *_OTHERS[name]))


def _table(day: str, text: str = "text", place: str = "invoice") -> str:
    return f"CREATE TABLE {place} (tenant {text}, n int, note {text}, total int, day {day})"


def _sqlite(path: Path, name: str) -> str:
    with closing(sqlite3.connect(path)) as made:
        made.execute(_table("date"))
        made.execute(f"INSERT INTO invoice VALUES {_rows(name)}")
        made.commit()
    return f"sqlite:///{path}"


def _duckdb(path: Path, name: str) -> str:
    with duckdb.connect(str(path)) as made:
        made.execute(_table("date"))
        made.execute(f"INSERT INTO invoice VALUES {_rows(name)}")
    return f"duckdb:///{path}"


def _postgres(url: str, name: str) -> str:
    with psycopg.connect(url, autocommit=True) as made:
        made.execute(_table("date").encode())
        made.execute(f"INSERT INTO invoice VALUES {_rows(name)}".encode())
    return url


def _mariadb(server: Any, name: str) -> str:
    url = server.create_database(name)
    with server.owner(name) as owner, owner.cursor() as cursor:
        cursor.execute(_table("date", "varchar(40)"))
        cursor.execute(f"INSERT INTO invoice VALUES {_rows(name)}")
    return url


def _clickhouse(folder: Path) -> list[str]:
    made = chdb.connect(str(folder))
    for name in NAMES:
        made.query(f"CREATE DATABASE {name}")
        table = _table("Date", "String", f"{name}.invoice").replace(" int", " Int32")
        made.query(f"{table} ENGINE = MergeTree ORDER BY n")
        made.query(f"INSERT INTO {name}.invoice VALUES {_rows(name)}")
    made.close()
    return [f"clickhouse:///{folder}?database={name}" for name in NAMES]
