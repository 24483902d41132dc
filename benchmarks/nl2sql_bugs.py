"""NL2SQL-Bugs: schema-valid queries, half of them wrong in meaning. The limit of a check that
knows the schema and nothing of the question's sense."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.tables_json import load_schemas
from veridical.check.checker import Checker
from veridical.contracts.call import SqlCall
from veridical.contracts.checked import CheckedQuery
from veridical.ontology.compile import compile_catalog


def run(data: Path) -> dict[str, Any]:
    """Blocked among the right ones and among the wrong ones."""
    schemas = load_schemas(data / "bird" / "dataset" / "dev_tables.json")
    checkers = {db: Checker(compile_catalog(schema), "sqlite") for db, schema in schemas.items()}
    path = data / "nl2sql_bugs" / "data" / "NL2SQL-Bugs-with-evidence.json"
    counts: Counter[str] = Counter()
    for row in json.loads(path.read_text("utf-8")):
        verdict = checkers[row["db_id"]].check(SqlCall(sql=row["sql"]))
        kind = "right" if row["label"] else "wrong"
        counts[kind] += 1
        counts[f"{kind}_blocked"] += not isinstance(verdict, CheckedQuery)
    return {
        "bugs_right_total": counts["right"],
        "bugs_false_blocks": counts["right_blocked"],
        "bugs_wrong_total": counts["wrong"],
        "bugs_wrong_caught": counts["wrong_blocked"],
    }
