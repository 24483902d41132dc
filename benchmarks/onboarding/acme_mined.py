"""ACME insurance under the ontology mined of its files: what models wrote, right and rejected.

The files hold a handful of rows a table, so that little can be counted; the statements are those
that models wrote in Snowflake's dialect, with the verdict of the warehouse that ran them.
"""

from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

from benchmarks.acme import sql_rows
from benchmarks.onboarding.mined import mined
from benchmarks.onboarding.sqlsure_beside import NAME, beside
from veridical.check.checker import Checker
from veridical.contracts.call import SqlCall
from veridical.contracts.violation import Refusal
from veridical.engines.registry import engine_of
from veridical.ontology.compile import compile_catalog

DIALECT = "snowflake"
FILES = Path("acme_dataworld/ACME_Insurance/data")
ANSWERS = Path("acme_dbt")


def run(data: Path) -> dict[str, Any] | None:
    """Right and rejected statements, untouched and confirmed; None where the data is not there."""
    if not (data / FILES).is_dir() or not (data / ANSWERS / "sql_answers.jsonl").is_file():
        return None
    place = str(data / FILES)
    engine = engine_of(place)
    assert engine is not None, "a folder of files is opened by DuckDB"
    with closing(engine.open(place, None)) as database:
        found = mined("acme", database)
    untouched, confirmed = found.untouched(), found.confirmed()
    checkers = {
        "untouched": Checker(compile_catalog(found.schema, untouched), DIALECT),
        "confirmed": Checker(compile_catalog(found.schema, confirmed), DIALECT),
    }
    other = beside(found.schema, untouched, DIALECT)
    counts: dict[str, Counter[str]] = {name: Counter() for name in (*checkers, NAME)}
    for sql, rejected, correct in sql_rows(data / ANSWERS):
        kind = "rejected" if rejected else "correct" if correct else "other"
        for name, checker in checkers.items():
            verdict = checker.check(SqlCall(sql=sql))
            _count(counts[name], kind, isinstance(verdict, Refusal))
        if other is not None:
            _count(counts[NAME], kind, other.verdict(sql)[0])
    return {name: _figures(each) for name, each in counts.items() if each}


def _count(counts: Counter[str], kind: str, blocked: bool) -> None:
    counts[kind] += 1
    counts[f"{kind}_blocked"] += blocked


def _figures(counts: Counter[str]) -> dict[str, Any]:
    return {
        "legal_total": counts["correct"],
        "legal_rejected": counts["correct_blocked"],
        "rejected_by_warehouse": counts["rejected"],
        "rejected_caught": counts["rejected_blocked"],
        "wrong_result": counts["other"],
        "wrong_result_blocked": counts["other_blocked"],
    }
