"""No statement makes the check slow or large: what doubles with every level is refused."""

import json
import subprocess
import sys
from typing import Any

import pytest

from tests.timing import timed
from veridical.check.checker import Checker
from veridical.contracts.call import AggregateCall, Filter, QueryCall, SqlCall
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.schema import Column, Schema, Table, ValueType
from veridical.contracts.violation import Code, Refusal
from veridical.ontology.compile import compile_catalog

COLUMNS = (
    Column("id", ValueType.INTEGER),
    Column("label", ValueType.TEXT),
    Column("balance", ValueType.NUMBER),
)
CHECKER = Checker(compile_catalog(Schema.of([Table("Account", COLUMNS, keys=(("id",),))])))
MOST_SECONDS = 1.0
MOST_MB = 200


def chain(step: str, depth: int) -> str:
    ctes = ", ".join(f"c{i} AS ({step.format(p=i - 1, i=i)})" for i in range(1, depth + 1))
    start = 'c0 AS (SELECT "label" AS x, "id" AS n FROM "Account")'
    return f"WITH {start}, {ctes} SELECT x FROM c{depth}"


def checked(sql: str) -> tuple[CheckedQuery | Refusal, float]:
    return timed(lambda: CHECKER.check(SqlCall(sql=sql)))


@pytest.mark.parametrize("depth", [24, 60])
def test_e35_a_chain_of_the_same_value_is_one_value(depth: int) -> None:
    verdict, took = checked(chain("SELECT coalesce(x, x) AS x, n FROM c{p}", depth))
    assert isinstance(verdict, CheckedQuery)
    assert took < MOST_SECONDS


@pytest.mark.parametrize(
    "step",
    [
        "SELECT CASE WHEN n = {i} THEN x ELSE x END AS x, n FROM c{p}",
        "SELECT a.*, b.* FROM c{p} AS a CROSS JOIN c{p} AS b",
        "SELECT *, * FROM c{p}",
    ],
)
def test_e35_what_does_double_is_refused_in_time(step: str) -> None:
    verdict, took = checked(chain(step, 40))
    assert isinstance(verdict, Refusal)
    assert Code.TOO_COMPLEX in {each.code for each in verdict.violations}
    assert took < MOST_SECONDS


def test_e35_no_heavy_statement_takes_long_or_much() -> None:
    """In a process of its own, since memory once taken is not given back."""
    told = subprocess.run(
        [sys.executable, "-m", "benchmarks.walls.heavy"], capture_output=True, check=True, text=True
    )
    figures: dict[str, Any] = json.loads(told.stdout)
    assert figures["statements"] > 400
    assert figures["slowest_seconds"] < MOST_SECONDS, figures
    assert figures["memory_mb"] < MOST_MB, figures


@pytest.mark.parametrize(
    "call",
    [
        QueryCall(
            table_name="Account",
            filters=tuple(Filter(field="id", op="!=", value=each) for each in range(3000)),
        ),
        QueryCall(
            table_name="Account",
            filters=(Filter(field="label", op="in", value=tuple(map(str, range(20_000)))),),
        ),
        QueryCall(table_name="Account", fields=tuple(f"colum{each}" for each in range(2000))),
        AggregateCall(
            table_name="Account",
            aggregate="SUM",
            field="balance",
            group_by=tuple(f"grup{each}" for each in range(2000)),
        ),
    ],
    ids=["filters", "values", "fields", "groups"],
)
def test_e35_large_calls_are_judged_in_time(call: QueryCall | AggregateCall) -> None:
    _, took = timed(lambda: CHECKER.check(call))
    assert took < MOST_SECONDS
