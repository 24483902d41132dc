"""ACME insurance, the raw SQL that models wrote against the DDL they were shown."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.acme import sql_rows
from veridical.check.checker import Checker
from veridical.contracts.call import SqlCall
from veridical.contracts.checked import CheckedQuery
from veridical.ontology.compile import compile_catalog
from veridical.ontology.ddl import schema_from_ddl


def run(folder: Path) -> dict[str, Any]:
    """Rejected by the warehouse and caught; right and blocked.

    The warehouse held whole numbers where the DDL says dates, so what it rejected for that reason
    can't be seen from the DDL.
    """
    script = (folder / "ACME_small.ddl").read_text("utf-8")
    separated = re.sub(r"\n(?=CREATE TABLE)", ";\n", script)
    checker = Checker(compile_catalog(schema_from_ddl(separated, "tsql")), "snowflake")
    counts: Counter[str] = Counter()
    for sql, rejected, correct in sql_rows(folder):
        blocked = not isinstance(checker.check(SqlCall(sql=sql)), CheckedQuery)
        kind = "rejected" if rejected else "correct" if correct else "other"
        counts[kind] += 1
        counts[f"{kind}_blocked"] += blocked
    return {
        "acme_sql_rejected_total": counts["rejected"],
        "acme_sql_rejected_caught": counts["rejected_blocked"],
        "acme_sql_correct_total": counts["correct"],
        "acme_sql_false_blocks": counts["correct_blocked"],
    }
