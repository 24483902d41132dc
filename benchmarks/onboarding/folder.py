"""The planted databases, written as a folder of the form that the benchmark reads.

``databases/SET`` has two files for each: its tables with their labels (``NAME.tables``, or
``NAME.yaml`` in the set ``own``), and its rows (``NAME.rows.xz``: a JSON line for each column, with
its table, its name and its values). Rows are kept, not drawn: a figure of today and one of last
year are of the same rows.
"""

import json
import lzma
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

import yaml

from benchmarks.onboarding.declared import Declared, declared

DATABASES = Path(__file__).with_name("databases")
OWN = "own"
"""Those that were written together with the miner."""
SETS = ("blind", "second", "third", "fourth", "fifth", "sixth")
"""By the name of their figures: each of another author, who had not seen the miner, and later than
the one before."""


def planted(name: str) -> dict[str, Declared]:
    """The databases of a set, with what is true of them."""
    described = sorted([*(DATABASES / name).glob("*.tables"), *(DATABASES / name).glob("*.yaml")])
    return {path.stem: _described(path) for path in described}


def _described(path: Path) -> Declared:
    text = path.read_text("utf-8")
    return declared(text) if path.suffix == ".tables" else Declared(**yaml.safe_load(text))


def write_planted(folder: Path, name: str = OWN) -> Path:
    """``db/*.sqlite``, ``gold_keys.json`` and ``gold_semantics.json`` of a set."""
    (folder / "db").mkdir(parents=True, exist_ok=True)
    databases = planted(name)
    for database, described in databases.items():
        path = folder / "db" / f"{database}.sqlite"
        path.unlink(missing_ok=True)
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript(described.ddl)
            for table, rows in _rows(DATABASES / name / f"{database}.rows.xz"):
                marks = ", ".join("?" * len(rows[0]))
                connection.executemany(f'INSERT INTO "{table}" VALUES ({marks})', rows)
            connection.commit()
    keys = {database: _keys(described) for database, described in databases.items()}
    semantics = {database: described.semantics for database, described in databases.items()}
    for file, labels in (("gold_keys", keys), ("gold_semantics", semantics)):
        text = json.dumps(labels, ensure_ascii=False, indent=1)
        (folder / f"{file}.json").write_text(text, "utf-8")
    return folder


def _rows(path: Path) -> Iterable[tuple[str, list[tuple[Any, ...]]]]:
    """The rows of each table."""
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for table, columns in groupby(map(json.loads, lines), key=itemgetter(0)):
            yield table, list(zip(*(values for _, _, values in columns), strict=True))


def _keys(described: Declared) -> dict[str, Any]:
    return {
        "tables": {table: {"pk": key} for table, key in described.keys.items()},
        "fks": [_link(*each) for each in described.foreign],
        "views": [],
    }


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
