"""Raw text in statements, run for real: what passes the check, and what would have passed without.

Each statement is tried twice. Through check and engine, as a caller sends it; and with the check's
refusal ignored, where only the reading back and the engine itself are left. Statements of dialects
whose engine is not here are checked and written, and what is written is read: it must hold the
caller's table, scoped, and nothing else.

Raw text stands where a grammar may hand it on as it is: units, names of arguments, quoted names in
odd places, collations, intervals, sources of rows, ``IN name``. Every allowed function of every
dialect has it in each of its places, and so have the forms of ``raw_forms.txt``. Most are no SQL at
all; what matters is that none shows another tenant's rows.
"""

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import sqlglot
from rich.progress import track
from sqlglot import exp
from sqlglot.errors import SqlglotError

from benchmarks.data import data_beside
from benchmarks.walls.two_tenants import ALPHA, CATALOG, COLUMNS, Twins, open_twins
from veridical.check.checker import Checker
from veridical.check.dialects import DIALECTS
from veridical.contracts.call import SqlCall
from veridical.contracts.statement import Statement
from veridical.statement.emit import emit
from veridical.statement.errors import EngineError
from veridical.statement.functions import allowed_functions
from veridical.statement.scope import Ground, refuse_writes, scope_shape

FORMS = Path(__file__).parent / "hidden" / "raw_forms.txt"
QUOTES: dict[str, str] = dict.fromkeys(
    ("mysql", "bigquery", "clickhouse", "spark", "sqlite"), "'\"`"
)
_USUAL_QUOTES = "'\""
_STOLEN = "(SELECT max(note) FROM {t})"
_DATA = data_beside(__file__)
_FITTING: tuple[str, ...] = tuple(_DATA["fitting"])
_BEFORE: tuple[str, ...] = tuple(_DATA["before"])
_MIDDLE: tuple[str, ...] = tuple(_DATA["middle"])
_AFTER: tuple[str, ...] = tuple(_DATA["after"])
_ARGUMENTS: tuple[str, ...] = ("day", "1", "note")


class Raw(NamedTuple):
    """A statement of one dialect; ``{t}`` is still to be replaced by the table's full name."""

    dialect: str
    sql: str


def raw_statements(seed: int, most: int) -> list[Raw]:
    """Distinct statements for every dialect, as many for each; others with another seed."""
    chance = random.Random(seed)
    found: dict[Raw, None] = {}
    for dialect in DIALECTS:
        made = dict.fromkeys(_of(dialect, chance))
        kept = min(most // len(DIALECTS), len(made))
        found.update(dict.fromkeys(chance.sample(list(made), kept)))
    return list(found)


def _of(dialect: str, chance: random.Random) -> Iterator[Raw]:
    quotes = QUOTES.get(dialect, _USUAL_QUOTES)
    texts = [*_FITTING, *("".join(each) for each in product(_BEFORE, _MIDDLE, _AFTER)), "{t}"]
    for form, quote in product(_forms(), quotes):
        for text in chance.sample(texts, 40):
            yield Raw(dialect, _filled(form, text, quote))
    for function, arity, quote in product(sorted(allowed_functions(dialect)), (1, 2, 3), quotes):
        for place in range(arity):
            for text in chance.sample(texts, 4):
                arguments = list(_ARGUMENTS[:arity])
                arguments[place] = _quoted(text, quote)
                yield Raw(dialect, f"SELECT {function}({', '.join(arguments)}) AS v FROM invoice")


def _filled(form: str, text: str, quote: str) -> str:
    return form.replace("{q}", _quoted(text, quote)).replace("{{", "{").replace("}}", "}")


def _quoted(text: str, quote: str) -> str:
    return quote + text.replace("{s}", _STOLEN).replace(quote, quote * 2) + quote


def _forms() -> list[str]:
    lines = FORMS.read_text("utf-8").splitlines()
    return [line.partition(" | ")[2] for line in lines if " | " in line and line[0] != "#"]


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
