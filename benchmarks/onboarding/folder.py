"""The planted databases written as a folder of the form that the benchmark reads."""

import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from types import ModuleType
from typing import Any

from benchmarks.onboarding.planted import ledger, subscriptions, warehouse
from benchmarks.onboarding.planted_blind import bike_fleet, clinic, grain_trade, prepaid
from benchmarks.onboarding.planted_second import chip_maker, insurer, utility
from benchmarks.onboarding.planted_third import dairy, hotels, media_agency

PLANTED: dict[str, ModuleType] = {
    "warehouse": warehouse,
    "ledger": ledger,
    "subscriptions": subscriptions,
}
BLIND: dict[str, ModuleType] = {
    "clinic": clinic,
    "prepaid": prepaid,
    "bike_fleet": bike_fleet,
    "grain_trade": grain_trade,
}
"""Those written, with their labels, by somebody who had not seen the miner."""
SECOND: dict[str, ModuleType] = {
    "utility": utility,
    "insurer": insurer,
    "chip_maker": chip_maker,
}
"""Those of another such author, later."""
SECOND_PAIRS = Path(utility.__file__).with_name("pairs.toml")
THIRD: dict[str, ModuleType] = {
    "hotels": hotels,
    "dairy": dairy,
    "media_agency": media_agency,
}
"""Those of a third."""
THIRD_PAIRS = Path(hotels.__file__).with_name("pairs.toml")


def write_planted(folder: Path, databases: Mapping[str, ModuleType] = PLANTED) -> Path:
    """``db/*.sqlite``, ``gold_keys.json`` and ``gold_semantics.json`` of planted databases."""
    (folder / "db").mkdir(parents=True, exist_ok=True)
    keys: dict[str, Any] = {}
    for name, planted in databases.items():
        path = folder / "db" / f"{name}.sqlite"
        path.unlink(missing_ok=True)
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript(planted.DDL)
            planted.fill(connection)
            connection.commit()
        keys[name] = {
            "tables": {table: {"pk": key} for table, key in planted.KEYS.items()},
            "fks": [_link(*each) for each in planted.FOREIGN],
            "views": [],
        }
    semantics = {name: planted.SEMANTICS for name, planted in databases.items()}
    (folder / "gold_keys.json").write_text(json.dumps(keys, ensure_ascii=False, indent=1), "utf-8")
    text = json.dumps(semantics, ensure_ascii=False, indent=1)
    (folder / "gold_semantics.json").write_text(text, "utf-8")
    return folder


def _link(
    child: str, columns: str, parent: str, targets: str, cardinality: str = "many_to_one"
) -> dict[str, Any]:
    """A link; several columns are divided by commas."""
    return {
        "child": child,
        "child_cols": columns.split(","),
        "parent": parent,
        "parent_cols": targets.split(","),
        "cardinality": cardinality,
    }
