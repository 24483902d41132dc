"""What a checked tool call costs beside the same SQL sent bare through psycopg.

Both run on the same connection, under the same role and the same row policies. The bare side
sends the very text that the engine wrote, with its values, and takes all rows.
"""

import statistics
from time import perf_counter_ns
from typing import Any, cast

import psycopg

from benchmarks.cost_cases import trustee_checker
from benchmarks.data import data_beside
from veridical import Caller, Scope, Toolbox
from veridical.contracts.statement import Statement
from veridical.engines import Engine, Postgres, install_row_level_security
from veridical.ontology.compile import compile_catalog
from veridical.ontology.pack import load_pack
from veridical.packs.trustee.load import load_postgres
from veridical.sample.postgres import LocalPostgres

_ROLE = "cost_reader"
_MANDATE, _INSTANCE = "m-001", "m-001-a"
_TURNS = 15

_DATA = data_beside(__file__)
CALLS: list[tuple[str, str, dict[str, Any]]] = _DATA["calls"]


def engine_figures(server: LocalPostgres, books: str, rounds: int) -> dict[str, Any]:
    """The ratio over a session of calls, and of each call."""
    url = server.create_database("cost")
    load_postgres(books, url)
    pack = load_pack("trustee")
    with psycopg.connect(url, autocommit=True) as owner:
        install_row_level_security(owner, pack.tenant_columns, _ROLE)
        owner.execute("VACUUM ANALYZE")
    database = Postgres(url, role=_ROLE, connections=1)
    spy = _Spy(database)
    engine = Engine(
        cast("Any", spy), compile_catalog(database.reflect()), shared=pack.shared_tables
    )
    scope = Scope({"mandateId": (_MANDATE,), "featureInstanceId": (_INSTANCE,)}, pack.shared_tables)
    toolbox = Toolbox(trustee_checker(), engine, Caller(scope=scope))
    each = {name: _compare(toolbox, spy, tool, arguments, scope) for name, tool, arguments in CALLS}
    database.close()
    ours, bare = (sum(side) for side in zip(*each.values(), strict=True))
    return {
        "engine_ratio": round(ours / bare, 3),
        "engine_books": books,
        "engine_overhead_ms": round(statistics.median(one - two for one, two in each.values()), 3),
        "engine_calls": {
            name: {"checked_ms": round(one, 3), "bare_ms": round(two, 3)}
            for name, (one, two) in each.items()
        },
    }


class _Spy:
    """The database as it is, remembering the last statement it was given."""

    def __init__(self, database: Postgres) -> None:
        self.database = database
        self.dialect = database.dialect
        self.namespace = database.namespace
        self.last: Statement | None = None

    def fetch(self, statement: Statement, *rest: Any) -> Any:
        self.last = statement
        return self.database.fetch(statement, *rest)


def _compare(
    toolbox: Toolbox, spy: _Spy, tool: str, arguments: dict[str, Any], scope: Scope
) -> tuple[float, float]:
    """Median milliseconds of the checked call and of the bare statement, in turns."""
    result = toolbox.call(tool, arguments)
    assert result.success, result.error
    ours: list[int] = []
    bare: list[int] = []
    for _ in range(_TURNS):
        start = perf_counter_ns()
        toolbox.call(tool, arguments)
        ours.append(perf_counter_ns() - start)
        bare.append(_bare(spy, scope))
    return statistics.median(ours) / 1e6, statistics.median(bare) / 1e6


def _bare(spy: _Spy, scope: Scope) -> int:
    """Nanoseconds for the statement itself; the transaction around it is not timed."""
    statement = spy.last
    assert statement is not None
    lent = spy.database._pool.raw_connection()  # pyright: ignore[reportPrivateUsage]
    connection = cast("psycopg.Connection[Any]", lent.driver_connection)
    with psycopg.RawCursor(connection) as cursor:
        cursor.execute("BEGIN READ ONLY")
        for column, values in scope.allowed.items():
            name = f"veridical.{column}"
            cursor.execute("SELECT set_config($1, $2::text[]::text, true)", [name, list(values)])
        cursor.execute("SELECT set_config('role', $1, true)", [_ROLE])
        start = perf_counter_ns()
        cursor.execute(cast("Any", statement.sql), statement.parameters)
        cursor.fetchall()
        took = perf_counter_ns() - start
        cursor.execute("ROLLBACK")
    lent.close()
    return took
