"""What is written is read back: a text that says something else than its tree is not run."""

import logging

import pytest
import sqlglot
from sqlglot import exp

from benchmarks.walls.planted import EMITTERS, run
from veridical.statement.emit import written
from veridical.statement.errors import EngineError, Problem
from veridical.statement.read_back import content_of, read_back
from veridical.statement.reader import GRAMMARS

RIGHT = (
    "SELECT a.x, sum(b.y) AS v FROM t AS a JOIN u AS b ON a.id = b.id WHERE a.x > 3 GROUP BY a.x",
    "WITH w AS (SELECT x FROM t) SELECT x FROM w UNION ALL SELECT y FROM u ORDER BY 1 LIMIT 3",
    "SELECT CASE WHEN x = 'no -- comment' THEN 1 ELSE 0 END AS v FROM t",
    "SELECT x, row_number() OVER (PARTITION BY y ORDER BY z DESC) AS v FROM t",
    "SELECT count(DISTINCT x) AS v FROM t WHERE x IN (1, 2) AND y LIKE 'a%' OR NOT z IS NULL",
)


@pytest.mark.parametrize("dialect", GRAMMARS)
@pytest.mark.parametrize("sql", RIGHT)
def test_a_right_statement_reads_as_it_was_written(dialect: str, sql: str) -> None:
    tree = sqlglot.parse_one(sql, read=dialect)
    assert isinstance(tree, exp.Query)
    assert written(tree, dialect)


@pytest.mark.parametrize(
    ("sql", "text"),
    [
        ("SELECT x FROM t", "SELECT x FROM u"),
        ("SELECT x FROM t", "SELECT y FROM t"),
        ("SELECT x FROM t", "SELECT x FROM t; SELECT 1"),
        ("SELECT x FROM t", "SELECT x FROM t -- rest"),
        ("SELECT x FROM t", "SELECT x FROM"),
        ("SELECT x FROM t", "DROP TABLE t"),
        ("SELECT x FROM t WHERE x = 1", "SELECT x FROM t WHERE x = 2"),
        ("SELECT x FROM t WHERE x = 1", "SELECT x FROM t WHERE x <> 1"),
        ("SELECT lower(x) FROM t", "SELECT pg_read_file(x) FROM t"),
        ("SELECT x AS a FROM t", "SELECT x AS b FROM t"),
    ],
)
def test_a_difference_is_refused_and_logged(
    sql: str, text: str, caplog: pytest.LogCaptureFixture
) -> None:
    content = content_of(sqlglot.parse_one(sql, read="postgres"), "postgres")
    with caplog.at_level(logging.ERROR), pytest.raises(EngineError) as caught:
        read_back(text, content, "postgres")
    assert caught.value.problem is Problem.MISWRITTEN
    assert "defect" in caplog.text
    assert text not in caplog.text


def test_a_call_that_sqlglot_can_t_write_is_refused() -> None:
    tree = sqlglot.parse_one("SELECT date() AS v", read="duckdb")
    assert isinstance(tree, exp.Query)
    with pytest.raises(EngineError):
        written(tree, "duckdb")


def test_every_broken_emitter_is_stopped() -> None:
    found = run()
    assert found["planted_missed"] == []
    assert found["planted_caught"] == found["planted"] == len(EMITTERS) >= 25
