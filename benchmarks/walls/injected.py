"""Raw text in statements, run for real: what passes the check, and what would have passed without.

Each statement is tried twice. Through check and engine, as a caller sends it; and with the check's
refusal ignored, where only the reading back and the engine itself are left. Statements of dialects
whose engine is not here are checked and written, and what is written is read: it must hold the
caller's table, scoped, and nothing else.
"""

from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import sqlglot
from rich.progress import track
from sqlglot import exp
from sqlglot.errors import SqlglotError

from benchmarks.walls.raw_text import Raw, raw_statements
from benchmarks.walls.two_tenants import ALPHA, CATALOG, COLUMNS, Twins, open_twins
from veridical.check.checker import Checker
from veridical.contracts.call import SqlCall
from veridical.contracts.statement import Statement
from veridical.statement.emit import emit
from veridical.statement.errors import EngineError
from veridical.statement.scope import Ground, refuse_writes, scope_shape

_PLACE = "books.invoice"
_SHOWN = 12
_UNREADABLE = (SqlglotError, ValueError, TypeError, AttributeError, KeyError, IndexError)


def run(folder: Path, seed: int, most: int) -> dict[str, Any]:
    """How many show another tenant's rows, of so many statements over all dialects."""
    tried = raw_statements(seed, most)
    counts: Counter[str] = Counter(statements=len(tried))
    leaked: list[str] = []
    with open_twins(folder) as twins:
        for raw in track(tried, "raw text", transient=True):
            there = twins.get(raw.dialect)
            found = _on_twins(there, raw, counts) if there else _on_paper(raw, counts)
            if found:
                leaked.append(f"{raw.dialect}: {raw.sql}")
    return {
        "bypasses": len(leaked),
        "raw_statements": counts["statements"],
        "raw_passed_the_check": counts["passed"],
        "raw_run_unchecked": counts["unchecked"],
        "raw_stopped_when_written": counts["stopped"],
        "raw_by_dialect": dict(Counter(raw.dialect for raw in tried)),
        "raw_examples": leaked[:_SHOWN],
    }


def _on_twins(twins: Twins, raw: Raw, counts: Counter[str]) -> bool:
    sql = raw.sql.replace("{t}", twins.place)
    checked = twins.leaks_checked(sql)
    counts["passed"] += checked is not None
    statements = [
        written
        for engine in twins.engines
        if (written := _unchecked(raw.dialect, sql, engine.database.namespace, counts)) is not None
    ]
    if len(statements) < len(twins.engines):
        return bool(checked)
    counts["unchecked"] += 1
    return bool(checked) or twins.leaks(statements, sql)


def _unchecked(
    dialect: str, sql: str, namespace: tuple[str, ...], counts: Counter[str]
) -> Statement | None:
    """What would run if the check had let it pass; none where it is no query, or was stopped."""
    try:
        tree = sqlglot.parse_one(sql, read=dialect)
    except (*_UNREADABLE, RecursionError):
        return None
    if not isinstance(tree, exp.Query):
        return None
    ground = Ground(namespace, {"invoice": frozenset(COLUMNS)}, {"invoice": tuple(COLUMNS)})
    try:
        refuse_writes(tree)
        emitted = emit(tree, scope_shape(ALPHA.scope, frozenset()), ground, 100, dialect)
        return emitted.bind((), ALPHA.scope)
    except EngineError:
        counts["stopped"] += 1
        return None


def _on_paper(raw: Raw, counts: Counter[str]) -> bool:
    """Whether the text that is handed out reads another table, or its own without the tenant."""
    sql = raw.sql.replace("{t}", _PLACE)
    verdict = _checker(raw.dialect).check(SqlCall(sql=sql), ALPHA)
    if not verdict:
        return False
    counts["passed"] += 1
    try:
        text = verdict.statement("qmark").sql
    except EngineError:
        counts["stopped"] += 1
        return False
    read = sqlglot.parse(text, read=raw.dialect)
    if len(read) != 1 or read[0] is None:
        return True
    names = {name for cte in read[0].find_all(exp.CTE) if (name := cte.alias)}
    tables = [each for each in read[0].find_all(exp.Table) if each.name not in names]
    return not all(_is_scoped(table) for table in tables)


@cache
def _checker(dialect: str) -> Checker:
    return Checker(CATALOG, dialect)


def _is_scoped(table: exp.Table) -> bool:
    if not isinstance(table.this, exp.Identifier):
        return True  # a function that makes rows
    select = table.find_ancestor(exp.Select)
    where = select.args.get("where") if select is not None else None
    return table.name == "invoice" and where is not None and "tenant" in where.sql()
