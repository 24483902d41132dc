"""What hostile statements get out of every engine, and what a checked query costs on each.

    python -m benchmarks.engines [--rows N] [--only NAME…] --json

``engine_escapes`` counts the hostile statements of ``tests/engines/hostile`` that ran although they
must not, or after which rows were changed or a file was written. ``engine_ratio`` is the time of
checked queries by that of the same text through the bare driver. The last line is one JSON object.
"""

import statistics
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

from benchmarks.command import command, show
from benchmarks.engines.grounds import GROUNDS, TENANTS, Ground
from veridical.check.checker import Checker
from veridical.contracts.call import AggregateCall, Call, Filter, SqlCall
from veridical.contracts.caller import Caller, Scope
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.statement import Statement
from veridical.engines import Engine, EngineError, Limits
from veridical.engines.database import Database
from veridical.engines.registry import engine_of
from veridical.ontology.compile import compile_catalog

_HOSTILE = Path("tests/engines/hostile")
_TURNS = 9
_FEW_ROWS = 900
_UNHURRIED = Limits(statement_ms=3_600_000)
"""For what is timed: on a busy machine a query may wait long for its turn."""
_SCOPE = Scope({"mandateId": ("alpha",)}, frozenset({"Currency"}))
_BY_YEAR = AggregateCall(table_name="Line", aggregate="sum", field="amount", group_by=("year",))
_CALLS: tuple[AggregateCall | str, ...] = (
    _BY_YEAR,
    AggregateCall(
        table_name="Line",
        aggregate="count",
        filters=(Filter(field="note", op="like", value="%7%"),),
    ),
    AggregateCall(
        table_name="Line", aggregate="avg", field="amount", group_by=("accountId", "year")
    ),
    "SELECT {q}accountId{q}, MAX({q}amount{q}) AS m FROM {q}Line{q} WHERE {q}year{q} > 2021"
    " GROUP BY {q}accountId{q}",
)
"""What agents ask: mostly structured calls, and a statement of their own."""


class _Spy:
    """The database as it is, remembering the last statement that it was given."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.dialect = database.dialect
        self.namespace = database.namespace
        self.last: Statement | None = None

    def fetch(self, statement: Statement, *rest: Any) -> Any:
        """The rows of a statement."""
        self.last = statement
        return self._database.fetch(statement, *rest)


def cost(ground: Ground, database: Database) -> dict[str, float]:
    """The medians of checked queries and of the bare driver, in turns, and their ratio."""
    spy = _Spy(database)
    catalog = compile_catalog(database.reflect())
    engine = Engine(cast("Any", spy), catalog, limits=_UNHURRIED)
    checker = Checker(catalog, database.dialect)
    ours, bare = 0.0, 0.0
    for asked in _CALLS:
        text = asked.format(q=ground.quote) if isinstance(asked, str) else ""
        call = SqlCall(sql=text) if isinstance(asked, str) else asked
        one, other = zip(*_turns(ground, engine, checker, spy, call), strict=True)
        ours += statistics.median(one)
        bare += statistics.median(other)
    return {
        "engine_ratio": round(ours / bare, 3),
        "checked_ms": round(ours / 1e6, 2),
        "bare_ms": round(bare / 1e6, 2),
    }


def _turns(
    ground: Ground, engine: Engine, checker: Checker, spy: _Spy, call: Call
) -> Iterator[tuple[int, int]]:
    for _ in range(_TURNS):
        start = time.perf_counter_ns()
        verdict = checker.check(call, Caller(_SCOPE))
        assert isinstance(verdict, CheckedQuery), verdict
        rows = engine.run(verdict).rows
        took = time.perf_counter_ns() - start
        assert spy.last is not None
        start = time.perf_counter_ns()
        count = ground.bare(spy.last)
        yield took, time.perf_counter_ns() - start
        assert count == len(rows), (count, len(rows), spy.last)


def escapes(database: Database, folder: Path) -> list[str]:
    """The hostile statements that got something done, by their text."""
    lines = (_HOSTILE / f"{database.dialect}.sql").read_text("utf-8").splitlines()
    before = _state(database, folder)
    escaped: list[str] = []
    for line in lines:
        sql = line.removeprefix("~ ").format(folder=folder)
        try:
            database.fetch(Statement(sql, ()), _SCOPE, 100, Limits(statement_ms=500))
            ran = not line.startswith("~ ")
        except EngineError:
            ran = False
        if ran or _state(database, folder) != before:
            escaped.append(line)
    return escaped


def _state(database: Database, folder: Path) -> tuple[Any, ...]:
    """The rows of each tenant, and the files that somebody wrote."""
    engine = Engine(database, catalog := compile_catalog(database.reflect()))
    checker = Checker(catalog, database.dialect)
    counts: list[Any] = []
    for tenant in TENANTS:
        caller = Caller(Scope({"mandateId": (tenant,)}))
        verdict = checker.check(_BY_YEAR, caller)
        assert isinstance(verdict, CheckedQuery), verdict
        counts.append(sorted(engine.run(verdict).rows))
    return sorted(catalog.tables), counts, [str(each) for each in folder.rglob("stolen*")]


def main() -> None:
    """Print the figures of every engine."""
    parser = command(__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000, help="rows of the large table")
    parser.add_argument("--only", nargs="*", help="run these engines only")
    options = parser.parse_args()
    figures: dict[str, Any] = {}
    for make in GROUNDS:
        if options.only and make.__name__.removeprefix("on_") not in options.only:
            continue
        print(f"{make.__name__.removeprefix('on_')} …", file=sys.stderr, flush=True)
        with TemporaryDirectory() as name, make(Path(name), options.rows) as ground:
            figures[ground.engine] = _costs(ground)
        with TemporaryDirectory() as name, make(Path(name), _FEW_ROWS) as ground:
            figures[ground.engine] |= _escapes(ground, Path(name))
    listed = [each["engine_ratio"] for each in figures.values()]
    found: dict[str, Any] = {
        "engine_escapes": sum(len(each["escaped"]) for each in figures.values()),
        "engine_statements": sum(each["hostile"] for each in figures.values()),
        "engine_ratio_worst": max(listed, default=None),
        "engines": figures,
    }
    show(found, options)


def _costs(ground: Ground) -> dict[str, Any]:
    kind = engine_of(ground.address)
    assert kind is not None
    with closing(kind.open(ground.address, ground.role)) as database:
        return {"label": kind.label.value, **cost(ground, database)}


def _escapes(ground: Ground, folder: Path) -> dict[str, Any]:
    kind = engine_of(ground.address)
    assert kind is not None
    lines = (_HOSTILE / f"{kind.dialect}.sql").read_text("utf-8").splitlines()
    with closing(kind.open(ground.address, ground.role)) as database:
        return {"hostile": len(lines), "escaped": escapes(database, folder)}


if __name__ == "__main__":
    main()
