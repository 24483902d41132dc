"""The planted databases written as a folder of the form that the benchmark reads."""

import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from benchmarks.onboarding import (
    planted_fifth,
    planted_fourth,
    planted_second,
    planted_sixth,
    planted_third,
)
from benchmarks.onboarding.planted import ledger, subscriptions, warehouse
from benchmarks.onboarding.planted_blind import bike_fleet, clinic, grain_trade, prepaid
from benchmarks.onboarding.planted_blind.pairs import PAIRS
from benchmarks.onboarding.planted_fifth import auction_house, ski_resort, waste
from benchmarks.onboarding.planted_fourth import box_terminal, pumps, tutoring
from benchmarks.onboarding.planted_second import chip_maker, insurer, utility
from benchmarks.onboarding.planted_sixth import aerolinea, biobank, theater
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


@dataclass(frozen=True)
class BlindSet:
    """Databases by one author who had not seen the miner, and the pairs of statements over them."""

    databases: Mapping[str, ModuleType]
    pairs: Path


def _set(package: ModuleType, *databases: ModuleType) -> BlindSet:
    named = {each.__name__.rpartition(".")[2]: each for each in databases}
    return BlindSet(named, Path(package.__path__[0], "pairs.toml"))


SETS: dict[str, BlindSet] = {
    "blind": BlindSet(BLIND, PAIRS),
    "second": _set(planted_second, utility, insurer, chip_maker),
    "third": _set(planted_third, hotels, dairy, media_agency),
    "fourth": _set(planted_fourth, tutoring, pumps, box_terminal),
    "fifth": _set(planted_fifth, auction_house, waste, ski_resort),
    "sixth": _set(planted_sixth, biobank, theater, aerolinea),
}
"""By the name of their figures: each of another author, later than the one before."""


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
