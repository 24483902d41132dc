"""The pairs of statements over planted databases, written in the form that the benchmark reads."""

import json
import sqlite3
import tomllib
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

from benchmarks.onboarding.folder import DATABASES


def pairs_of(name: str) -> dict[str, list[dict[str, str]]]:
    """The pairs of a set, by database."""
    return tomllib.loads((DATABASES / name / "pairs.toml").read_text("utf-8"))


def write_pairs(folder: Path, name: str) -> Path:
    """``traps.jsonl`` of a set, in the folder that has its ``db/*.sqlite``.

    Raises ``ValueError`` for a pair whose statements give the same.
    """
    path = folder / "traps.jsonl"
    lines = (json.dumps(each, ensure_ascii=False) for each in _answered(folder, name))
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def _answered(folder: Path, name: str) -> Iterable[dict[str, Any]]:
    for database, pairs in pairs_of(name).items():
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
