"""A company's database: its file, the pairs, the right statements, and its ontology by hand."""

import sqlite3
import subprocess
import sys
import tarfile
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from benchmarks.company.rewrites import rewrites_of
from benchmarks.data import read_lines
from benchmarks.onboarding.traps import Pair, pairs

HERE = Path(__file__).parent
DATABASE = "company.sqlite"


class Right(NamedTuple):
    """A right statement, how it is written, and the question that it answers."""

    id: str
    form: str
    """``gold``, ``alternative``, or the name of a rewrite of one of these."""
    question: str
    sql: str


class Company(NamedTuple):
    """One database with all that is measured on it."""

    name: str
    database: Path
    pairs: list[Pair]
    right: list[Right]


def archives() -> list[str]:
    """The names of the sets that lie here."""
    return sorted(path.name.removesuffix(".tar.xz") for path in HERE.glob("*.tar.xz"))


def unpacked(name: str, folder: Path) -> Path:
    """The folder of a set of this benchmark, with its database built."""
    with tarfile.open(HERE / f"{name}.tar.xz") as archive:
        archive.extractall(folder, filter="data")
    built = folder / name
    subprocess.run([sys.executable, "build.py"], cwd=built, check=True, stdout=subprocess.DEVNULL)
    return built


def company_in(folder: Path, paired: bool = True) -> Company:
    """The set of a folder; ``paired``: with pairs of rewrites, not only single ones."""
    questions = {row["id"]: row["question"] for row in read_lines(folder / "questions.jsonl")}
    written: list[Right] = []
    for row in read_lines(folder / "gold.jsonl"):
        for form, sql in (("gold", row["sql"]), ("alternative", row.get("alternative"))):
            if sql:
                written.append(Right(row["id"], form, questions[row["id"]], sql))
    with closing(sqlite3.connect(folder / DATABASE)) as connection:
        rewritten = [
            Right(each.id, f"{each.form}: {form}", each.question, sql)
            for each in written
            for form, sql in rewrites_of(each.sql, connection, paired)
        ]
    return Company(
        folder.name, folder / DATABASE, pairs(folder / "traps.jsonl"), [*written, *rewritten]
    )
