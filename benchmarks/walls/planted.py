"""Emitters that are broken on purpose: none of what they write may run.

Each writes a statement as sqlglot does and then spoils it, as a bug in sqlglot, in our scoping or
in a new version of either would. What is written otherwise than before must be stopped by the
comparison alone: the check has passed the statement.
"""

import re
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect

from benchmarks.walls.two_tenants import ALPHA, CATALOG
from veridical.check.checker import Checker
from veridical.contracts.call import SqlCall
from veridical.contracts.checked import CheckedQuery
from veridical.statement import emit
from veridical.statement.errors import EngineError, Problem
from veridical.statement.reader import GRAMMARS

_FROM = "FROM books.invoice"
_OTHER = f"SELECT note {_FROM}"
STATEMENTS = (
    "SELECT note, total FROM invoice WHERE note = 'own one' AND n > 0 ORDER BY total DESC LIMIT 5",
    "SELECT note AS label, sum(total) AS v FROM invoice GROUP BY note HAVING sum(total) > 1",
    "SELECT DISTINCT upper(a.note) AS v FROM invoice AS a JOIN invoice AS b ON a.n = b.n"
    " WHERE NOT a.note IS NULL",
    "WITH w AS (SELECT note, total FROM invoice WHERE total <> 3) SELECT max(total) AS v FROM w"
    " UNION ALL SELECT min(n) AS v FROM invoice",
    "SELECT note, row_number() OVER (PARTITION BY note ORDER BY n) AS v FROM invoice"
    " WHERE n IN (SELECT n FROM invoice WHERE total BETWEEN 1 AND 9)",
)
_TENANT = r"\s+WHERE\s+[\"`]?tenant[\"`]?\s*=\s*[$@]\d+"
_TABLE = r"([\"`]?books[\"`]?\.)?[\"`]invoice[\"`]"


def _replaced(pattern: str, by: str, count: int = 1) -> Callable[[str], str]:
    return lambda sql: re.sub(pattern, by, sql, count=count, flags=re.IGNORECASE)


def _scope_opened(sql: str) -> str:
    return re.sub(f"({_TENANT})", r"\1 OR TRUE", sql, count=1, flags=re.IGNORECASE)


EMITTERS: dict[str, Callable[[str], str]] = {
    "a second statement": lambda sql: f"{sql}; {_OTHER}",
    "a second statement before it": lambda sql: f"{_OTHER}; {sql}",
    "a line comment": lambda sql: f"{sql} -- end",
    "a block comment": lambda sql: f"{sql} /* end */",
    "a comment that hides the end": lambda sql: re.sub(r"\sWHERE\s", " -- WHERE ", sql, count=1),
    "a union with the bare table": lambda sql: f"{sql} UNION ALL {_OTHER}",
    "the tenant dropped": _replaced(_TENANT, ""),
    "the tenant or anybody": _scope_opened,
    "the tenant or nothing compared": _replaced(r"([$@]\d+)", r"\1 OR 1 = 1"),
    "another tenant's parameter": _replaced(r"([$@])(\d+)", r"\g<1>9"),
    "the tenant as a literal": _replaced(r"[$@]\d+", "'beta'"),
    "the tenant's column compared with itself": _replaced(r"[$@]\d+", "tenant"),
    "a bare table for its scope": _replaced(
        rf"\(SELECT [^()]*? FROM {_TABLE}[^()]*?\)", _OTHER[24:]
    ),
    "another table": _replaced(_TABLE, "payment"),
    "the place of the table dropped": _replaced(r"([\"`]?)books\1\.", ""),
    "another place": _replaced(r"([\"`]?)books\1\.", "other."),
    "a hidden column in the scope": _replaced(
        r"\(SELECT ([\"`]tenant[\"`])", r"(SELECT secret, \1"
    ),
    "all columns in the scope": _replaced(
        rf"\(SELECT [^()]*? FROM ({_TABLE})", r"(SELECT * FROM \1"
    ),
    "a join in the scope": _replaced(rf"FROM ({_TABLE})", r"FROM \1, books.payment"),
    "another column": _replaced(r"[\"`]note[\"`]( AS| COLLATE|,|\)|$)", r"secret\1", 9),
    "one more column": _replaced(r"^(WITH .*?\) )?SELECT ", r"\g<0>secret, "),
    "one more sub-query": _replaced(r"^(WITH .*?\) )?SELECT ", rf"\g<0>({_OTHER}), "),
    "another function": _replaced(r"\b(sum|max|upper|row_number)\(", "load_extension("),
    "an unknown function around a column": _replaced(
        r"SELECT ([\"`\w.]+),", r"SELECT pg_read(\1),"
    ),
    "a literal without quotes": _replaced(r"'own one'", "own"),
    "another literal": _replaced(r"'own one'", "'own two'"),
    "a literal that goes on": _replaced(r"'own one'", "'own one' OR note LIKE '%'"),
    "a condition dropped": _replaced(r"\s(WHERE|AND)\s+[^()]*?(<>|>) \d+", ""),
    "a negation dropped": _replaced(r"\bNOT ", ""),
    "a comparison turned round": _replaced(r" > (?=\d)", " < "),
    "a group dropped": _replaced(r"\sGROUP BY [\"`\w.]+", ""),
    "a having dropped": _replaced(r"\sHAVING .*?> 1", ""),
    "an order dropped": _replaced(r"\sORDER BY [^)]*?(DESC)( NULLS \w+)?", ""),
    "the limit dropped": _replaced(r"\sLIMIT \d+", ""),
    "distinct dropped": _replaced(r"\bDISTINCT ", ""),
    "a join dropped": _replaced(r"\s(INNER )?JOIN .*? ON [^)]*?(?= WHERE| LIMIT|$)", ""),
    "a window dropped": _replaced(r"\sOVER \(.*?\)", ""),
    "a union dropped": _replaced(r"\sUNION ALL SELECT .*$", ""),
    "the name of a result changed": _replaced(r" AS ([\"`]?)v\1", " AS profit"),
    "a list of values for a query": _replaced(r"IN \(SELECT .*? AND 9\)", "IN (1, 2)"),
}


def run() -> dict[str, Any]:
    """How many of the broken emitters are stopped wherever they change anything."""
    caught: list[str] = []
    missed: list[str] = []
    spoilt = 0
    for name, spoil in EMITTERS.items():
        let_through = []
        changed = 0
        for dialect in GRAMMARS:
            checker = Checker(CATALOG, dialect, namespace=("books",))
            for sql in STATEMENTS:
                stopped = _stopped(checker, sql, spoil)
                changed += stopped is not None
                if stopped is False:
                    let_through.append(f"{dialect}: {sql}")
        spoilt += changed
        (caught if changed and not let_through else missed).append(name)
        missed += let_through
    return {
        "planted": len(EMITTERS),
        "planted_caught": len(caught),
        "planted_statements": spoilt,
        "planted_missed": missed,
    }


def _stopped(checker: Checker, sql: str, spoil: Callable[[str], str]) -> bool | None:
    """Whether the spoilt text is stopped; none where there is nothing to spoil in it."""
    verdict = checker.check(SqlCall(sql=sql), ALPHA)
    assert isinstance(verdict, CheckedQuery), verdict
    texts: list[str] = []
    with _emitting(checker.dialect, spoil, texts):
        try:
            verdict.statement("qmark")
        except EngineError as error:
            changed = texts[0] != texts[1]
            return error.problem is Problem.MISWRITTEN if changed else None
    return False if texts[0] != texts[1] else None


@contextmanager
def _emitting(dialect: str, spoil: Callable[[str], str], texts: list[str]) -> Generator[None]:
    """sqlglot writes, and the text is spoilt."""
    kind = type(GRAMMARS[dialect])

    class Spoilt(kind):
        def generate(self, expression: exp.Expr, copy: bool = True, **options: Any) -> str:
            honest = super().generate(expression, copy=copy, **options)
            texts[:] = [honest, spoil(honest)]
            return texts[1]

    broken: dict[str, Dialect] = {**GRAMMARS, dialect: Spoilt()}
    with patch.object(emit, "GRAMMARS", broken):
        yield
