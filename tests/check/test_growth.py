"""Texts that a statement copies into themselves, level by level."""

import pytest
import sqlglot
from sqlglot import exp

from veridical.check.sql.growth import MAX_COPIES, may_copy_much, most_copies


def _copies(sql: str) -> int:
    tree = sqlglot.parse_one(sql, dialect="postgres")
    assert isinstance(tree, exp.Query)
    copies = most_copies(tree)
    assert copies <= MAX_COPIES or may_copy_much(tuple(tree.walk()))
    return copies


def _chain(first: str, step: str, last: str) -> str:
    steps = [first, *(step.format(n=n, before=n - 1) for n in range(1, 25))]
    return f"WITH {', '.join(steps)} {last}"


def _nested(step: str) -> str:
    sql = "SELECT name AS x FROM customer"
    for _ in range(14):
        sql = f"SELECT {step} AS x FROM ({sql}) AS s"
    return sql


@pytest.mark.parametrize(
    "sql",
    [
        _chain(
            "c0 AS (SELECT name AS x FROM customer)",
            "c{n} AS (SELECT concat(x, x) AS x FROM c{before})",
            "SELECT x FROM c24",
        ),
        _chain(
            "c0(y) AS (SELECT name FROM customer)",
            "c{n}(y) AS (SELECT y || y FROM c{before})",
            "SELECT * FROM c24",
        ),
        _chain(
            "c0 AS (SELECT name AS x FROM customer)",
            "c{n} AS (SELECT a.x || b.x AS x FROM c{before} a JOIN c{before} b ON true)",
            "SELECT x FROM c24",
        ),
        _nested("x || x"),
        _nested("replace(x, 'a', x) || x"),
        _nested("CASE WHEN x IS NULL THEN '' ELSE concat(x, ',', x) END"),
        "WITH RECURSIVE r(n, p) AS (SELECT 1, 'a' UNION ALL SELECT n + 1, p || p FROM r"
        " WHERE n < 100) SELECT p FROM r",
    ],
)
def test_what_doubles_again_and_again_is_too_much(sql: str) -> None:
    assert _copies(sql) > MAX_COPIES


@pytest.mark.parametrize(
    ("sql", "copies"),
    [
        ("SELECT concat(name, ' ', name) FROM customer", 3),
        ("SELECT a + b + c AS s, concat(a, b) FROM t UNION ALL SELECT 1, 'x'", 3),
        (f"SELECT {' || '.join(['x'] * 900)} FROM t", 900),
        (
            "WITH RECURSIVE r(n, p) AS (SELECT 1, name FROM t UNION ALL"
            " SELECT r.n + 1, r.p || '/' || t.name FROM r JOIN t ON true WHERE n < 9)"
            " SELECT p FROM r",
            2,
        ),
        (
            "WITH RECURSIVE f(n, a, b) AS (SELECT 1, 0, 1 UNION ALL"
            " SELECT n + 1, b, a + b FROM f WHERE n < 10) SELECT a FROM f",
            1,
        ),
    ],
)
def test_what_is_put_together_once_is_counted_as_it_is(sql: str, copies: int) -> None:
    assert _copies(sql) == copies
