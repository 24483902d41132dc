"""Right queries of Spider and BIRD, written by experts: what the check says of them is false.

Those that reviewers found wrong are kept apart. The queries are split in halves by their hash: the
rules were developed with the one, the figures of the other are published.
"""

import csv
import hashlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.data import read_lines
from benchmarks.tables_json import load_schemas
from veridical.check.checker import Checker
from veridical.contracts.call import SqlCall
from veridical.contracts.schema import Schema
from veridical.contracts.violation import Refusal, Violation
from veridical.ontology.compile import compile_catalog

_SETS = ("spider", "bird")
_ANNOTATIONS = {
    "bird_financial_annotations.csv": ("Question ID", "Error Category"),
    "bird_sampled_annotations.csv": ("question_id", "Annotation"),
}
_WRONG_SQL = "3"
"""The annotators' number for a query that does not answer its question."""
HALVES = ("read", "published")


class Query(NamedTuple):
    """One gold query, and whether reviewers doubt it."""

    database: str
    question: str
    sql: str
    known_bad: bool

    @property
    def half(self) -> str:
        """The half it belongs to."""
        return half_of(self.sql)


def half_of(sql: str) -> str:
    """``read`` or ``published``, by the hash of the text."""
    return HALVES[int(hashlib.sha256(sql.encode()).hexdigest(), 16) % 2]


def queries(folder: Path) -> Iterator[Query]:
    """All gold queries of the folder."""
    bad = _known_bad(folder)
    for name in _SETS:
        for row in read_lines(folder / f"{name}_dev.jsonl"):
            database = f"{name}/{row['db_id']}"
            yield Query(database, row["question"], row["sql"], (name, row["id"]) in bad)


def schemas(folder: Path) -> dict[str, Schema]:
    """The schemas by set and database."""
    return {
        f"{name}/{database}": schema
        for name in _SETS
        for database, schema in load_schemas(folder / f"{name}_dev_tables.json").items()
    }


def run(folder: Path) -> dict[str, Any]:
    """How many are blocked or warned about, in all and by code, in either half."""
    known = schemas(folder).items()
    checkers = {name: Checker(compile_catalog(each), "sqlite") for name, each in known}
    totals: Counter[str] = Counter()
    codes: dict[str, Counter[str]] = {half: Counter() for half in HALVES}
    sizes: Counter[str] = Counter()
    for query in queries(folder):
        verdict = checkers[query.database].check(SqlCall(sql=query.sql), question=query.question)
        totals["total"] += 1
        totals["known_bad"] += query.known_bad
        blocked = isinstance(verdict, Refusal)
        if query.known_bad:
            totals["known_bad_told"] += blocked or bool(verdict.warnings)
            continue
        sizes[query.half] += 1
        totals["blocked"] += blocked
        totals[f"blocked_{query.half}"] += blocked
        totals["flagged"] += blocked or bool(verdict.warnings)
        for each in {(found.code.value, found.mode.value) for found in findings(verdict)}:
            codes[query.half]["/".join(each)] += 1
    right = sizes.total()
    return {
        "gold_total": totals["total"],
        "gold_known_bad": totals["known_bad"],
        "gold_known_bad_told": totals["known_bad_told"],
        "gold_blocked": totals["blocked"],
        "gold_blocked_share": round(totals["blocked"] / right, 5),
        "gold_blocked_published_half": totals["blocked_published"],
        "gold_flagged": totals["flagged"],
        "gold_flagged_share": round(totals["flagged"] / right, 5),
        "gold_false_rate_by_rule": {
            half: {
                name: {"found": found, "rate": round(found / sizes[half], 5)}
                for name, found in sorted(codes[half].items())
            }
            for half in HALVES
        },
    }


def findings(verdict: Any) -> tuple[Violation, ...]:
    """All that was found, in whatever mode."""
    found = verdict.violations if isinstance(verdict, Refusal) else ()
    return (*found, *verdict.warnings, *verdict.shadowed)


def _known_bad(folder: Path) -> set[tuple[str, int]]:
    rows = read_lines(folder / "sqlsure_audit_flags.jsonl")
    found: set[tuple[str, int]] = {(row["corpus"], int(row["id"])) for row in rows}
    for name, (number, category) in _ANNOTATIONS.items():
        text = (folder / name).read_text("utf-8").replace("\ufeff", "")
        found |= {
            ("bird", int(row[number]))
            for row in csv.DictReader(text.splitlines(keepends=True))
            if row[number].strip().isdigit() and _WRONG_SQL in row[category]
        }
    return found
