"""The planted databases written as a folder of the form that the benchmark reads."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from types import ModuleType
from typing import Any

from benchmarks.onboarding.planted import ledger, subscriptions, warehouse

PLANTED: dict[str, ModuleType] = {
    "warehouse": warehouse,
    "ledger": ledger,
    "subscriptions": subscriptions,
}


def write_planted(folder: Path) -> Path:
    """``db/*.sqlite``, ``gold_keys.json`` and ``gold_semantics.json`` of the planted databases."""
    (folder / "db").mkdir(parents=True, exist_ok=True)
    keys: dict[str, Any] = {}
    for name, planted in PLANTED.items():
        path = folder / "db" / f"{name}.sqlite"
        path.unlink(missing_ok=True)
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript(planted.DDL)
            planted.fill(connection)
            connection.commit()
        keys[name] = {
            "tables": {table: {"pk": key} for table, key in planted.KEYS.items()},
            "fks": [
                {
                    "child": child,
                    "child_cols": [column],
                    "parent": parent,
                    "parent_cols": [target],
                    "cardinality": "many_to_one",
                }
                for child, column, parent, target in planted.FOREIGN
            ],
            "views": [],
        }
    semantics = {name: planted.SEMANTICS for name, planted in PLANTED.items()}
    (folder / "gold_keys.json").write_text(json.dumps(keys, ensure_ascii=False, indent=1), "utf-8")
    text = json.dumps(semantics, ensure_ascii=False, indent=1)
    (folder / "gold_semantics.json").write_text(text, "utf-8")
    return folder
