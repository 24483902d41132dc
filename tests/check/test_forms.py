"""The forms of SQL that are understood, and the functions and types that may stand in them."""

from pathlib import Path

import pytest
from sqlglot import exp
from sqlglot.dialects.dialect import Dialect as Grammar
from sqlglot.errors import ErrorLevel, SqlglotError

from veridical.check.checker import Checker
from veridical.check.dialects import DIALECTS
from veridical.check.sql.calls import called_functions
from veridical.contracts.call import SqlCall
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.schema import Column, Schema, Table, ValueType
from veridical.ontology.compile import compile_catalog
from veridical.statement.functions import allowed_functions
from veridical.statement.reader import nodes_of

pytestmark = pytest.mark.slow

CASES = Path(__file__).parent / "cases" / "forms_accept.txt"
CATALOG = compile_catalog(
    Schema.of(
        [
            Table(
                "Account",
                (
                    Column("id", ValueType.INTEGER),
                    Column("label", ValueType.TEXT),
                    Column("balance", ValueType.NUMBER),
                    Column("opened", ValueType.TIMESTAMP),
                ),
                keys=(("id",),),
            )
        ]
    )
)
ARGUMENTS = (
    *("", "*", "a", "a, b", "a, b, c", "a, b, c, d", "DISTINCT a", "'x'", "'x', a", "a, 'x'"),
    *("'day', a", "'day', a, b", "'day', 1, a", "day, a, b", "day, 1, a", "a, INTERVAL '1' DAY"),
    *("a ORDER BY b", "a, ',' ORDER BY b", "a, 'x', 'y'", "YEAR FROM a", "BOTH a FROM b", "a IN b"),
    *("a, 1", "1, 2, 3", "a FROM 1 FOR 2", "a AS DATE", "'now'"),
)


def cases() -> list[tuple[str, str]]:
    lines = [line for line in CASES.read_text("utf-8").splitlines() if not line.startswith("#")]
    parted = (line.partition(" | ") for line in lines if line)
    return [(dialect, sql) for where, _, sql in parted for dialect in _named(where)]


def _named(where: str) -> list[str]:
    """One dialect, or all but those behind the star: ``*-bigquery``."""
    if not where.startswith("*"):
        return [where]
    return [dialect for dialect in DIALECTS if dialect not in where[1:].split("-")]


@pytest.mark.parametrize(("dialect", "sql"), cases())
def test_what_people_write_passes(dialect: str, sql: str) -> None:
    verdict = Checker(CATALOG, dialect).check(SqlCall(sql=sql))
    assert isinstance(verdict, CheckedQuery), verdict


@pytest.mark.parametrize("dialect", DIALECTS)
def test_no_grammar_makes_a_refused_function_of_an_allowed_one(dialect: str) -> None:
    grammar = Grammar.get_or_raise(dialect)
    allowed = allowed_functions(dialect)
    odd: set[str] = set()
    for name in allowed - {"cast", "try_cast", "safe_cast"}:  # of the form `a AS type` only
        for arguments in ARGUMENTS:
            sql = f"SELECT {name}({arguments})"
            tokens = grammar.tokenize(sql)
            try:
                tree = grammar.parser(error_level=ErrorLevel.IMMEDIATE).parse(tokens, sql)[0]
            except (SqlglotError, TypeError, AttributeError, IndexError, ValueError):
                continue
            assert isinstance(tree, exp.Query)
            nodes = nodes_of(tree)
            types = frozenset(map(type, nodes))
            odd |= set(called_functions(nodes, types, tokens, sql, dialect)) - allowed
    assert not odd
