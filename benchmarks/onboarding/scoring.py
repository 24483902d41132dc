"""Precision and recall of what was mined, by kind."""

import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.onboarding.labels import Facts, judged, labelled, mined
from veridical.engines.sqlite import Sqlite
from veridical.onboarding.budget import Budget, Meter
from veridical.onboarding.mine import mine
from veridical.onboarding.profiler import profile_table
from veridical.onboarding.proposal import Proposal
from veridical.onboarding.source import Source


@dataclass(frozen=True)
class Score:
    """Counts of one kind."""

    right: int = 0
    wrong: int = 0
    missed: int = 0
    unjudged: int = 0
    """Findings that no label speaks of, in kinds that are labelled in part."""

    def __add__(self, other: "Score") -> "Score":
        return Score(
            self.right + other.right,
            self.wrong + other.wrong,
            self.missed + other.missed,
            self.unjudged + other.unjudged,
        )

    def as_json(self) -> dict[str, Any]:
        found, there = self.right + self.wrong, self.right + self.missed
        strict = found + self.unjudged
        return {
            "precision": round(self.right / found, 4) if found else None,
            "recall": round(self.right / there, 4) if there else None,
            "right": self.right,
            "wrong": self.wrong,
            "missed": self.missed,
            "unjudged": self.unjudged,
            "strict_precision": round(self.right / strict, 4) if strict else None,
        }


def without_constraints(path: Path, folder: Path) -> Path:
    """A copy of a SQLite file with the same columns and rows, and nothing declared. Views go."""
    copy = folder / path.name
    with closing(sqlite3.connect(copy)) as connection:
        connection.execute("ATTACH ? AS old", (str(path),))
        names = connection.execute(
            "SELECT name FROM old.sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*'"
        ).fetchall()
        for (name,) in names:
            columns = connection.execute(
                "SELECT name, type FROM pragma_table_info(?, 'old')", (name,)
            ).fetchall()
            declared = ", ".join(f"{_quoted(column)} {kind}" for column, kind in columns)
            connection.execute(f"CREATE TABLE main.{_quoted(name)} ({declared})")
            connection.execute(
                f"INSERT INTO main.{_quoted(name)} SELECT * FROM old.{_quoted(name)}"
            )
        connection.commit()
    return copy


def mined_of(path: Path, budget: Budget | None = None) -> list[Proposal]:
    """What is mined of a SQLite file."""
    with closing(Sqlite(path)) as database:
        source = Source(database, Meter(budget or Budget()))
        tables = {
            name: profile_table(source, table) for name, table in source.schema.tables.items()
        }
        return mine(source, tables)


@dataclass(frozen=True)
class Difference:
    """What was mined of a database beside what its labels say, by kind."""

    right: Facts
    wrong: Facts
    missed: Facts
    unjudged: Facts

    def scores(self) -> dict[str, Score]:
        """The counts."""
        parts = (self.right, self.wrong, self.missed, self.unjudged)
        return {kind: Score(*(len(part[kind]) for part in parts)) for kind in self.right}


def difference(
    folder: Path, name: str, keys: Mapping[str, Any], semantics: Mapping[str, Any]
) -> Difference:
    """One database of a folder, copied without its constraints and mined."""
    with TemporaryDirectory() as place:
        copy = without_constraints(folder / "db" / f"{name}.sqlite", Path(place))
        found = mined(mined_of(copy), set(keys["tables"]))
    truth = labelled(keys, semantics)
    # A column of a date type is one, also where the labels list the business's own dates only.
    declared = found.get("time_declared", set())
    found["time"] = found.get("time", set()) | (declared & truth.get("time", set()))
    beside = {kind: found.get(kind, set()) - truth[kind] for kind in truth}
    complete = bool(semantics.get("complete"))
    wrong = {kind: each if complete else judged(kind, each, truth) for kind, each in beside.items()}
    return Difference(
        right={kind: truth[kind] & found.get(kind, set()) for kind in truth},
        wrong=wrong,
        missed={kind: truth[kind] - found.get(kind, set()) for kind in truth},
        unjudged={kind: beside[kind] - wrong[kind] for kind in truth},
    )


def summed(each: Iterable[Mapping[str, Score]]) -> dict[str, Score]:
    """The counts of several databases together."""
    total: dict[str, Score] = {}
    for found in each:
        for kind, score in found.items():
            total[kind] = total.get(kind, Score()) + score
    return total


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
