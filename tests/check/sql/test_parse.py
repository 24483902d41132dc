import logging
import subprocess
import sys

import pytest

from veridical.check.facts import Problem
from veridical.check.sql.parse import MAX_CHARACTERS, MAX_DEPTH, Statement, parse
from veridical.contracts.violation import Code


def test_functions_are_told_as_they_are_typed() -> None:
    sql = 'SELECT SUM(x), "Pg_Sleep"(1), COUNT(*) FROM t WHERE a IN (1, 2) AND EXISTS (SELECT 1)'
    parsed = parse(sql, "postgres")
    assert isinstance(parsed, Statement)
    assert parsed.functions == ["sum", "pg_sleep", "count"]


def test_names_of_common_table_expressions_are_no_functions() -> None:
    parsed = parse("WITH a(x) AS (SELECT 1), b(y) AS (SELECT 2) SELECT * FROM a, b", "postgres")
    assert isinstance(parsed, Statement)
    assert parsed.functions == []


@pytest.mark.parametrize(
    ("sql", "code"),
    [
        ("SELECT " + "x" * MAX_CHARACTERS, Code.TOO_COMPLEX),
        ("SELECT " + "(" * (MAX_DEPTH + 1) + "1" + ")" * (MAX_DEPTH + 1), Code.TOO_COMPLEX),
        ("", Code.SYNTAX_ERROR),
        ("SELECT 1; SELECT 2", Code.SYNTAX_ERROR),
        ("EXPLAIN SELECT 1", Code.NOT_READ_ONLY),
        ("SELECT * FROM (DELETE FROM t RETURNING *) AS x", Code.NOT_READ_ONLY),
    ],
)
def test_what_is_not_one_readable_statement_is_refused(sql: str, code: Code) -> None:
    parsed = parse(sql, "postgres")
    assert isinstance(parsed, Problem)
    assert parsed.code is code


def test_no_statement_gets_into_a_log(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        parse("SELECT * FROM (ANALYZE 'my secret') AS t", "postgres")
        parse("SELECT * FROM (CREATE THING secret) AS t", "postgres")
    assert "secret" not in caplog.text


@pytest.mark.parametrize(
    ("module", "grammars"),
    [
        ("veridical.check.sql.parse", ("duckdb", "postgres", "snowflake", "sqlite")),
        ("veridical.statement.emit", ("duckdb", "postgres")),
    ],
)
def test_grammars_are_whole_before_there_are_threads(
    module: str, grammars: tuple[str, ...]
) -> None:
    """sqlglot loads a grammar when it is first asked for, and hands it half loaded to any other
    thread that asks meanwhile: what that thread reads or writes is wrong."""
    asked = f"import sys, {module}; print(*sys.modules)"
    told = subprocess.run([sys.executable, "-c", asked], check=True, capture_output=True, text=True)
    assert {f"sqlglot.dialects.{each}" for each in grammars} <= set(told.stdout.split())
