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

from benchmarks.data import data_beside
from benchmarks.walls.two_tenants import ALPHA, CATALOG
from veridical.check.checker import Checker
from veridical.contracts.call import SqlCall
from veridical.contracts.checked import CheckedQuery
from veridical.statement import emit
from veridical.statement.errors import EngineError, Problem
from veridical.statement.reader import GRAMMARS

_DATA = data_beside(__file__)
STATEMENTS: tuple[str, ...] = tuple(_DATA["statements"])
_PARTS = {
    "{tenant}": r"\s+WHERE\s+[\"`]?tenant[\"`]?\s*=\s*[$@]\d+",
    "{table}": r"([\"`]?books[\"`]?\.)?[\"`]invoice[\"`]",
    "{other}": "SELECT note FROM books.invoice",
}


def _spoiling(pattern: str, by: str, count: str = "1") -> Callable[[str], str]:
    for name, part in _PARTS.items():
        pattern, by = pattern.replace(name, part), by.replace(name, part)
    return lambda sql: re.sub(pattern, by, sql, count=int(count), flags=re.IGNORECASE)


EMITTERS = {name: _spoiling(*each) for name, each in _DATA["emitters"].items()}


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
