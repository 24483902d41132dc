"""The pairs of statements over these databases, written in the form that the benchmark reads."""

import json
import sqlite3
import tomllib
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

PAIRS = Path(__file__).with_name("pairs.toml")


def write_pairs(folder: Path, pairs: Path = PAIRS) -> Path:
    """``traps.jsonl`` in a folder that has ``db/*.sqlite``, from a TOML file of pairs.

    Raises ``ValueError`` for a pair whose statements give the same.
    """
    path = folder / "traps.jsonl"
    lines = (json.dumps(each, ensure_ascii=False) for each in _answered(folder, pairs))
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def _answered(folder: Path, source: Path) -> Iterable[dict[str, Any]]:
    for database, pairs in tomllib.loads(source.read_text("utf-8")).items():
        with closing(sqlite3.connect(folder / "db" / f"{database}.sqlite")) as connection:
            for number, pair in enumerate(pairs, 1):
                wrong, right = (_rows(connection, pair[side]) for side in ("wrong", "right"))
                if wrong == right:
                    raise ValueError(f"{database}: {pair['question']}: both give {right[:1]}")
                yield {
                    "id": f"{database}{number:02}",
                    "db": database,
                    "kind": pair["kind"],
                    "question": pair["question"],
                    "wrong": " ".join(pair["wrong"].split()),
                    "right": " ".join(pair["right"].split()),
                    "note": "",
                    "results_differ": True,
                    "wrong_result": str(wrong[0]) if wrong else "",
                    "right_result": str(right[0]) if right else "",
                }


def _rows(connection: sqlite3.Connection, statement: str) -> list[tuple[Any, ...]]:
    return connection.execute(statement).fetchall()
