"""Spider dev: predictions of nine systems, each right, wrong, or failing on its database."""

import sqlite3
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from benchmarks.data import read_lines
from benchmarks.tables_json import load_schemas
from veridical.check.checker import Checker
from veridical.contracts.call import SqlCall
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.schema import Schema
from veridical.ontology.compile import compile_catalog, with_values

_EMPTY_DATABASES = frozenset({"wta_1"})
_MAX_VALUES = 5_000


def run(data: Path, limit: int | None = None) -> dict[str, Any]:
    """Caught errors, false blocks on right predictions, wrong ones caught or warned about."""
    counts: Counter[str] = Counter()
    rules: dict[str, Counter[str]] = {}
    checkers: dict[str, Checker] = {}
    for row in _rows(data, limit):
        db = row["db_id"]
        if db not in checkers:
            checkers[db] = _checker(data, db)
        verdict = checkers[db].check(SqlCall(sql=row["pred"]), question=row["question"])
        status = row["status"]
        blocked = not isinstance(verdict, CheckedQuery)
        found = (*verdict.violations, *verdict.warnings) if blocked else verdict.warnings
        counts[f"{status}_total"] += 1
        counts[f"{status}_blocked"] += blocked
        counts[f"{status}_warned"] += bool(found) and not blocked
        for code in {(each.code.value, each.mode.value) for each in found}:
            rules.setdefault("/".join(code), Counter())[status] += 1
    return {
        "spider_error_total": counts["error_total"],
        "spider_error_caught": counts["error_blocked"],
        "spider_right_total": counts["correct_total"],
        "spider_false_blocks": counts["correct_blocked"],
        "spider_right_warned": counts["correct_warned"],
        "spider_wrong_total": counts["wrong_total"],
        "spider_wrong_caught": counts["wrong_blocked"],
        "spider_wrong_warned": counts["wrong_warned"],
        "spider_rules": {name: dict(found) for name, found in sorted(rules.items())},
    }


def misses(data: Path, status: str, blocked: bool) -> Iterator[tuple[dict[str, Any], Any]]:
    """Rows of this status that were (not) blocked, for reading by hand."""
    checkers: dict[str, Checker] = {}
    for row in _rows(data, None):
        if row["status"] == status:
            db = row["db_id"]
            if db not in checkers:
                checkers[db] = _checker(data, db)
            verdict = checkers[db].check(SqlCall(sql=row["pred"]), question=row["question"])
            if isinstance(verdict, CheckedQuery) is not blocked:
                yield row, verdict


def _rows(data: Path, limit: int | None) -> Iterator[dict[str, Any]]:
    path = data / "spider_en" / "spider_dev_pred_labels.jsonl"
    yield from islice(read_lines(path), limit)


def _checker(data: Path, db: str) -> Checker:
    schema = load_schemas(next((data / "spider_en").rglob("tables.json")))[db]
    catalog = compile_catalog(schema)
    if db not in _EMPTY_DATABASES:
        path = data / "spider_en" / "database" / db / f"{db}.sqlite"
        catalog = with_values(catalog, _values(path, schema))
    return Checker(catalog, "sqlite")


def _values(path: Path, schema: Schema) -> dict[str, dict[str, set[Any]]]:
    """All values of the columns that have few enough to list."""
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    connection.text_factory = _decoded
    found: dict[str, dict[str, set[Any]]] = {}
    present = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    for table in schema.tables.values():
        for column in table.columns if table.name in present else ():
            query = f'SELECT DISTINCT "{column.name}" FROM "{table.name}" LIMIT {_MAX_VALUES + 1}'
            values = {value for (value,) in connection.execute(query) if value is not None}
            if 0 < len(values) <= _MAX_VALUES:
                found.setdefault(table.name, {})[column.name] = values
    connection.close()
    return found


def _decoded(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")
