"""Statements whose cells come from data, and statements that write their result themselves."""

from pathlib import Path

import pytest
import sqlglot
from hypothesis import given
from hypothesis import strategies as st

from veridical.contracts.lineage import OriginKind
from veridical.lineage.statement import lineage_of_text

FOLDER = Path(__file__).parent
DATA = {OriginKind.COLUMN, OriginKind.AGGREGATE, OriginKind.COUNT, OriginKind.COMPUTED}
DIALECTS = ("postgres", "duckdb", "mysql", "sqlite", "tsql", "snowflake", "bigquery")


def _lines(name: str) -> list[str]:
    text = (FOLDER / f"{name}.txt").read_text("utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def _proves(sql: str, dialect: str | None = None) -> bool:
    """Whether the last column proves something that no literal of the statement is."""
    lineage = lineage_of_text(sql, dialect)
    if not lineage.columns:
        return lineage.stars
    last = lineage.columns[-1]
    return last.kind in DATA and 5_000_000.0 not in last.written


@pytest.mark.parametrize("sql", _lines("written"))
def test_what_a_statement_writes_proves_nothing(sql: str) -> None:
    assert not _proves(sql)


@pytest.mark.parametrize("sql", _lines("read"))
def test_what_is_read_proves_something(sql: str) -> None:
    lineage = lineage_of_text(sql)
    assert lineage.columns or lineage.stars
    assert all(each.kind in DATA for each in lineage.columns), lineage.columns
    assert not any(each.constants for each in lineage.columns)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    "sql",
    [
        "(SELECT 5000000 AS b)",
        "SELECT 5e6 AS b",
        "SELECT 5000000 AS b UNION SELECT 5000000",
        "WITH a AS (SELECT 5000000 AS b) SELECT b FROM a",
        "SELECT COALESCE(NULL, 5000000) AS b",
        "SELECT CASE WHEN x > 0 THEN 5000000 ELSE 4 END AS b FROM t",
        "SELECT SUM(x) + 5000000 AS b FROM t",
    ],
)
def test_no_dialect_makes_a_literal_into_data(sql: str, dialect: str) -> None:
    assert not _proves(sql, dialect)


def test_a_quoted_text_is_a_literal_where_the_engine_takes_it_for_one() -> None:
    assert not _proves('SELECT "5000000" AS b FROM t', "mysql")
    (column,) = lineage_of_text('SELECT "Huber AG" AS best FROM t', "sqlite").columns
    assert column.written == ("Huber AG",)


_ATOMS = st.sampled_from(
    ["7", "5e6", "5000000", "'5000000'", "0.5", "NULL", "(SELECT 9)", "ABS(-3)"]
)
_CONSTANTS = st.recursive(
    _ATOMS,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from("+-*/"), inner).map(
            lambda it: f"({it[0]} {it[1]} {it[2]})"
        ),
        inner.map(lambda it: f"CAST({it} AS DECIMAL(20, 2))"),
        inner.map(lambda it: f"COALESCE(NULL, {it})"),
        st.tuples(inner, inner).map(lambda it: f"CASE WHEN 1 = 1 THEN {it[0]} ELSE {it[1]} END"),
        inner.map(lambda it: f"(SELECT x FROM (SELECT {it} AS x) s)"),
        inner.map(lambda it: f"ROUND({it}, 2)"),
        inner.map(lambda it: f"GREATEST({it}, 1)"),
    ),
    max_leaves=6,
)
_AROUND = st.sampled_from(
    ["SELECT {} AS b", "(SELECT {} AS b)", "SELECT {} AS b FROM t", "SELECT MAX({}) AS b FROM t",
     "WITH a AS (SELECT {} AS b) SELECT b FROM a", "SELECT {} AS b UNION ALL SELECT {}",
     "SELECT b FROM (VALUES ({})) v(b)", "SELECT l.b FROM t CROSS JOIN LATERAL (SELECT {} AS b) l"]
)  # fmt: skip


@given(_CONSTANTS, _AROUND)
def test_no_expression_without_a_column_is_data(constant: str, around: str) -> None:
    sql = around.replace("{}", constant)
    sqlglot.parse_one(sql, dialect="postgres")
    (column,) = lineage_of_text(sql, "postgres").columns
    assert column.kind not in DATA
