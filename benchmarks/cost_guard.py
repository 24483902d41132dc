"""Whether the cost guard stops what would read too much on PostgreSQL, and nothing else.

A seeded grammar of shapes writes 200 statements over a table of sales and two beside it. Each is
estimated as the guard does it, then run with ``EXPLAIN ANALYZE``, which counts the rows really
read. A statement is over the budget if it reads more than a tenth of the largest table.

``stopped_over`` is the share of those over the budget that the guard stops (goal: 0.95 or more),
``stopped_under`` of the others (goal: 0.01 or less); ``median_error`` is the median relative error
of the estimated rows, ``worst_tenth_error`` the least in the worst tenth; ``guard_share`` is the
time of all estimates in that of all statements (goal: 0.05 or less at full size).
"""

import statistics
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random
from time import perf_counter
from typing import Any

import psycopg

from benchmarks.command import command, show
from veridical.contracts.caller import Scope
from veridical.contracts.cost import CostBudget
from veridical.contracts.statement import Statement
from veridical.engines import Limits, Postgres
from veridical.engines.cost_guard import excess_of
from veridical.sample.postgres import local_postgres

ROWS, SMOKE_ROWS = 20_000_000, 200_000
STATEMENTS = 200
SEED = 7
_DAYS = 2000
_START = date(2019, 1, 1)
_PLACES = 500
_TABLES = f"""
    CREATE TABLE sale (id bigint, customer int, place int, day date, amount numeric, note text);
    INSERT INTO sale SELECT n, n * 7919 % ({{rows}} / 20) + 1, n * 31 % {_PLACES},
        DATE '{_START}' + (n * {_DAYS} / {{rows}})::int, n % 1000 + 0.5, repeat('n', 30)
        FROM generate_series(1, {{rows}}::bigint) AS s(n);
    CREATE TABLE customer (id int, name text, country int);
    INSERT INTO customer SELECT n, 'customer ' || n, n % 40
        FROM generate_series(1, {{rows}} / 20) AS s(n);
    CREATE TABLE place (id int, name text);
    INSERT INTO place SELECT n, 'place ' || n FROM generate_series(0, {_PLACES - 1}) AS s(n);
    ALTER TABLE sale ADD PRIMARY KEY (id);
    ALTER TABLE customer ADD PRIMARY KEY (id);
    ALTER TABLE place ADD PRIMARY KEY (id);
    CREATE INDEX ON sale (day);
    CREATE INDEX ON sale (customer);
"""
Shape = Callable[[Random, int], str]


def _period(random: Random) -> str:
    """Days, weeks, months or years."""
    length = random.choice((0, 6, 30, 90, 365, 1000))
    first = _START + timedelta(days=random.randrange(_DAYS))
    return f"s.day BETWEEN '{first}' AND '{first + timedelta(days=length)}'"


def _sums(random: Random) -> str:
    return random.choice(("count(*)", "sum(s.amount)", "max(s.amount)", "count(DISTINCT s.place)"))


_SALES = "FROM public.sale s"
_WITH_CUSTOMER = f"{_SALES} JOIN public.customer c ON c.id = s.customer"
_WITH_PLACE = f"{_SALES} JOIN public.place p ON p.id = s.place"
SHAPES: tuple[Shape, ...] = (
    lambda random, rows: f"SELECT * {_SALES} WHERE s.id = {random.randrange(rows)}",
    lambda random, rows: f"SELECT * {_SALES} WHERE s.customer = {random.randrange(rows // 20)}",
    lambda random, _: f"SELECT * {_SALES} LIMIT {random.choice((10, 1000, 10_001))}",
    lambda random, _: f"SELECT * {_SALES} ORDER BY s.day DESC LIMIT {random.choice((10, 1000))}",
    lambda random, _: f"SELECT s.id {_SALES} ORDER BY s.amount LIMIT {random.choice((10, 1000))}",
    lambda random, _: f"SELECT {_sums(random)} {_SALES} WHERE {_period(random)}",
    lambda random, _: (
        f"SELECT {_sums(random)} {_SALES} WHERE {_period(random)}"
        f" AND s.place = {random.randrange(_PLACES)}"
    ),
    lambda random, _: (
        f"SELECT date_trunc('month', s.day) AS m, {_sums(random)} {_SALES}"
        f" WHERE {_period(random)} GROUP BY 1 ORDER BY 1"
    ),
    lambda random, _: f"SELECT {_sums(random)} {_SALES}",
    lambda random, _: f"SELECT {_sums(random)} {_SALES} WHERE s.amount > {random.randrange(1000)}",
    lambda random, _: (
        f"SELECT s.place, {_sums(random)} {_SALES} GROUP BY 1 ORDER BY 2 DESC LIMIT 9"
    ),
    lambda random, _: (
        f"SELECT p.name, {_sums(random)} {_WITH_PLACE} WHERE {_period(random)} GROUP BY 1"
    ),
    lambda random, rows: (
        f"SELECT c.name, {_sums(random)} {_WITH_CUSTOMER}"
        f" WHERE c.id BETWEEN {(first := random.randrange(rows // 20))} AND {first + 50} GROUP BY 1"
    ),
    lambda random, _: (
        f"SELECT c.country, {_sums(random)} {_WITH_CUSTOMER} WHERE {_period(random)} GROUP BY 1"
    ),
    lambda random, _: (
        f"WITH m AS (SELECT s.place, {_sums(random)} AS n {_SALES} WHERE {_period(random)}"
        " GROUP BY 1) SELECT avg(n) FROM m"
    ),
    lambda random, rows: (
        "SELECT name FROM public.customer c WHERE EXISTS (SELECT 1 FROM public.sale s"
        f" WHERE s.customer = c.id AND s.amount > 900) AND c.id < {random.randrange(1, rows // 40)}"
    ),
    lambda random, _: (
        "SELECT count(*) FROM public.customer c WHERE c.country"
        f" = {random.randrange(40)} AND c.name LIKE 'customer 1%'"
    ),
)
"""Point look-ups, ranges, joins and sums over all, by month, with an index and without."""


def statements(rows: int) -> Iterator[str]:
    """The statements, the same ones each time."""
    random = Random(SEED)
    for number in range(STATEMENTS):
        yield SHAPES[number % len(SHAPES)](random, rows)


@dataclass(frozen=True)
class Judged:
    """One statement: what was expected, what was read, and the times of both."""

    sql: str
    stopped: bool
    estimated: int
    read: float
    guard_ms: float
    query_ms: float

    @property
    def error(self) -> float:
        """The relative error of the estimate."""
        return abs(self.estimated - self.read) / max(self.read, 1.0)


def rows_read(plan: dict[str, Any]) -> float:
    """The rows that the scans of an analysed plan took from tables, before filters."""
    waiting, rows = [plan], 0.0
    while waiting:
        node = waiting.pop()
        waiting += node.get("Plans", [])
        if "Relation Name" in node:
            dropped = sum(
                float(node.get(f"Rows Removed by {what}", 0))
                for what in ("Filter", "Index Recheck")
            )
            rows += (float(node["Actual Rows"]) + dropped) * float(node["Actual Loops"])
    return rows


def _judged(
    sql: str, database: Postgres, owner: "psycopg.Connection[Any]", budget: CostBudget
) -> Judged:
    limits = Limits(probe_ms=5_000)
    started = perf_counter()
    estimate = database.estimate(Statement(sql, ()), Scope(), limits)
    guard_ms = (perf_counter() - started) * 1000
    found = owner.execute(f"EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) {sql}".encode()).fetchone()
    analysed = found[0][0] if found else {}
    if estimate is None:
        raise RuntimeError(f"no estimate: {sql}")
    return Judged(
        sql,
        excess_of(estimate, budget) is not None,
        estimate.rows_read,
        rows_read(analysed["Plan"]),
        guard_ms,
        float(analysed["Planning Time"]) + float(analysed["Execution Time"]),
    )


def figures(judged: list[Judged], most: int) -> dict[str, Any]:
    """What the benchmark prints."""
    over = [each for each in judged if each.read > most]
    under = [each for each in judged if each.read <= most]
    guard, query = sum(each.guard_ms for each in judged), sum(each.query_ms for each in judged)
    wrong = [each for each in judged if each.stopped != (each.read > most)]
    return {
        "statements": len(judged),
        "over_budget": len(over),
        "stopped_over": _share(over),
        "stopped_under": _share(under),
        "median_error": round(statistics.median(each.error for each in judged), 4),
        "worst_tenth_error": round(_ninetieth([each.error for each in judged]), 4),
        "guard_ms": round(statistics.median(each.guard_ms for each in judged), 3),
        "guard_share": round(guard / query, 4),
        "wrong": [{"sql": e.sql, "estimated": e.estimated, "read": e.read} for e in wrong],
    }


def _ninetieth(errors: list[float]) -> float:
    return sorted(errors)[len(errors) * 9 // 10]


def _share(judged: list[Judged]) -> float:
    return round(sum(each.stopped for each in judged) / max(len(judged), 1), 4)


def main() -> None:
    """Measure and print."""
    options = command(__doc__, "200,000 rows instead of 20 million").parse_args()
    rows = SMOKE_ROWS if options.smoke else ROWS
    with local_postgres() as server:
        url = server.create_database("cost_guard")
        with psycopg.connect(url, autocommit=True) as owner:
            owner.execute(_TABLES.format(rows=rows).encode())
            owner.execute("VACUUM ANALYZE")
            most = rows // 10
            with closing(Postgres(url, connections=1)) as database:
                budget = CostBudget(most_rows_read=most)
                judged = [_judged(sql, database, owner, budget) for sql in statements(rows)]
    show({"rows": rows, **figures(judged, most)}, options)


if __name__ == "__main__":
    main()
