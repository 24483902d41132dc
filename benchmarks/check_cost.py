"""What the check costs: beside a database round trip, beside bare sqlglot, and as it grows.

Every ratio compares two things timed in turns in the same run, by their medians, so that a busy
machine slows both.
"""

import gc
import statistics
from collections.abc import Callable
from itertools import count, cycle
from time import perf_counter_ns
from typing import Any

import psycopg
import sqlglot
from sqlglot.optimizer.qualify import qualify
from sqlglot.schema import MappingSchema

from benchmarks.command import command, show
from benchmarks.cost_cases import (
    ENTITIES,
    QUESTION,
    SQL,
    STRUCTURED,
    growing_checker,
    growing_sql,
    growing_structured,
    trustee_caller,
    trustee_checker,
    with_other_values,
)
from benchmarks.engine_cost import engine_figures
from veridical.contracts.call import SqlCall, parse_call
from veridical.contracts.checked import CheckedQuery
from veridical.sample.postgres import local_postgres

Action = Callable[[], object]
TURN = 10


def main() -> None:
    """Print the figures; the last line is one JSON object."""
    parser = command(__doc__)
    parser.add_argument("--rounds", type=int, default=300, help="turns per pair of cases")
    parser.add_argument("--books", default="medium", help="size of the books for engine_ratio")
    options = parser.parse_args()
    figures = run(options.rounds, options.books)
    show(figures, options)


def run(rounds: int, books: str) -> dict[str, Any]:
    """All figures of this benchmark."""
    with local_postgres() as server:
        with psycopg.connect(server.url, autocommit=True) as connection:
            figures = _structured(connection, rounds)
        figures |= _sql(rounds)
        figures |= _growth(rounds)
        figures |= engine_figures(server, books, rounds)
    return figures


def _structured(connection: "psycopg.Connection[Any]", rounds: int) -> dict[str, Any]:
    checker, caller = trustee_checker(), trustee_caller()

    def bare() -> None:
        connection.execute("SELECT 1").fetchone()

    def check(data: dict[str, Any]) -> Action:
        values = cycle(with_other_values(data))

        def action() -> None:
            verdict = checker.check(parse_call(next(values)), caller, QUESTION)
            assert isinstance(verdict, CheckedQuery), verdict

        return action

    def check_anew(data: dict[str, Any]) -> Action:
        # a filter said twice is never taken from memory: all rules run
        doubled = {**data, "filters": [*data["filters"], data["filters"][0]]}

        def action() -> None:
            verdict = checker.check(parse_call(doubled), caller, QUESTION)
            assert isinstance(verdict, CheckedQuery), verdict

        return action

    pairs = [in_turns(check(data), bare, rounds) for data in STRUCTURED]
    checks, trips = (statistics.median(side) for side in zip(*pairs, strict=True))
    filtered = [data for data in STRUCTURED if data.get("filters")]
    anew = [in_turns(check_anew(data), bare, rounds)[0] for data in filtered]
    return {
        "structured_ratio": round(checks / trips, 3),
        "structured_p50_us": round(checks, 1),
        "structured_new_shape_p50_us": round(statistics.median(anew), 1),
        "select_1_p50_us": round(trips, 1),
        "structured_cases": len(STRUCTURED),
    }


def _sql(rounds: int) -> dict[str, Any]:
    checker, caller = trustee_checker(), trustee_caller()
    tables: dict[str, object] = {
        table.name: {column.name: column.type.value for column in table.columns.values()}
        for table in checker.catalog.tables.values()
    }
    schema = MappingSchema(tables, dialect="postgres", normalize=False)

    def bare(sql: str) -> Action:
        def action() -> None:
            qualify(sqlglot.parse_one(sql, read="postgres"), schema=schema, dialect="postgres")

        return action

    def check(sql: str) -> Action:
        """Checked, scoped, written and read back: all there is before a statement runs."""

        def action() -> None:
            verdict = checker.check(SqlCall(sql=sql), caller)
            assert isinstance(verdict, CheckedQuery), verdict
            assert verdict.sql

        return action

    def anew(sql: str) -> Action:
        """The same for a statement that nobody sent before."""
        numbers = count()

        def action() -> None:
            check(f"SELECT * FROM ({sql}) AS t{next(numbers)}")()

        return action

    pairs = [in_turns(check(sql), bare(sql), max(rounds // 4, 20)) for sql in SQL]
    ratios = [ours / theirs for ours, theirs in pairs]
    wrapped = [bare(f"SELECT * FROM ({sql}) AS t") for sql in SQL]
    new = [
        in_turns(anew(sql), within, max(rounds // 4, 20))
        for sql, within in zip(SQL, wrapped, strict=True)
    ]
    return {
        "sql_new_ratio": round(statistics.median(ours / theirs for ours, theirs in new), 3),
        "sql_ratio": round(statistics.median(ratios), 3),
        "sql_ratio_worst": round(max(ratios), 3),
        "sql_p50_us": round(statistics.median(ours for ours, _ in pairs), 1),
        "sql_cases": len(SQL),
    }


def _growth(rounds: int) -> dict[str, Any]:
    small, large = (growing_checker(count) for count in ENTITIES)

    def check(checker: Any, call: Any) -> Action:
        def action() -> None:
            verdict = checker.check(call)
            assert isinstance(verdict, CheckedQuery), verdict

        return action

    ratios: list[float] = []
    for make in (growing_structured, growing_sql):
        near, far = check(small, make(ENTITIES[0])), check(large, make(ENTITIES[1]))
        ours, theirs = in_turns(far, near, rounds * 4)
        ratios.append(ours / theirs)
    return {
        "growth_10k": round(max(ratios), 3),
        "growth_10k_structured": round(ratios[0], 3),
        "growth_10k_sql": round(ratios[1], 3),
    }


def in_turns(one: Action, other: Action, rounds: int) -> tuple[float, float]:
    """The median times of two actions in microseconds, a few of the one, a few of the other."""
    gc.collect()
    timings: tuple[list[int], list[int]] = ([], [])
    for _ in range(max(rounds // TURN, 1) + 1):
        for action, taken in zip((one, other), timings, strict=True):
            for _ in range(TURN):
                start = perf_counter_ns()
                action()
                taken.append(perf_counter_ns() - start)
    firsts, seconds = (statistics.median(taken[TURN:]) / 1000 for taken in timings)
    return firsts, seconds


if __name__ == "__main__":
    main()
