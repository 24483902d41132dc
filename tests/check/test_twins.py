"""Wrong statements and their right twins, with a schema and its keys as all that is known."""

import sqlite3
from pathlib import Path
from typing import NamedTuple

import pytest

from veridical.check.checker import Checker
from veridical.contracts.call import SqlCall
from veridical.contracts.caller import Caller
from veridical.contracts.language import Language
from veridical.contracts.violation import Code, Refusal, Violation
from veridical.engines.sqlite import Sqlite
from veridical.ontology.compile import compile_catalog

FOLDER = Path(__file__).parent / "twins"


class Twins(NamedTuple):
    code: Code
    asked: str
    wrong: str
    right: str


def twins() -> list[Twins]:
    blocks = (FOLDER / "twins.txt").read_text("utf-8").split("\n\n")
    lines = (block.strip().splitlines() for block in blocks)
    found: list[Twins] = []
    for head, *statements in (each for each in lines if each and not each[0].startswith("#")):
        code, _, asked = (part.strip() for part in head.partition("|"))
        wrong, right = statements
        found.append(Twins(Code(code), asked, wrong, right))
    return found


TWINS = twins()


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return bikes(tmp_path_factory.mktemp("twins"))


@pytest.fixture(scope="module")
def checker(path: Path) -> Checker:
    return checker_of(path)


def bikes(folder: Path) -> Path:
    """The rental's database in this folder."""
    path = folder / "bikes.db"
    connection = sqlite3.connect(path)
    connection.executescript((FOLDER / "bikes.sql").read_text("utf-8"))
    connection.close()
    return path


def checker_of(path: Path) -> Checker:
    """A check that knows the schema alone."""
    database = Sqlite(path)
    catalog = compile_catalog(database.reflect())
    database.close()
    return Checker(catalog, "sqlite")


def told(checker: Checker, sql: str, question: str = "") -> tuple[Violation, ...]:
    verdict = checker.check(SqlCall(sql=sql), question=question)
    found = verdict.violations if isinstance(verdict, Refusal) else ()
    return (*found, *verdict.warnings, *verdict.shadowed)


def test_there_are_enough_of_them() -> None:
    assert len(TWINS) >= 40


@pytest.mark.parametrize("pair", TWINS, ids=lambda pair: f"{pair.code}: {pair.asked}")
def test_the_wrong_one_is_told_and_the_right_one_is_not(checker: Checker, pair: Twins) -> None:
    assert pair.code in {each.code for each in told(checker, pair.wrong, pair.asked)}
    assert told(checker, pair.right, pair.asked) == ()


@pytest.mark.parametrize("pair", TWINS, ids=lambda pair: f"{pair.code}: {pair.asked}")
def test_their_results_differ(path: Path, pair: Twins) -> None:
    with sqlite3.connect(path) as connection:
        wrong, right = (connection.execute(sql).fetchall() for sql in (pair.wrong, pair.right))
    assert wrong != right


@pytest.mark.parametrize("language", Language)
def test_hints_are_short_in_every_language(checker: Checker, language: Language) -> None:
    for pair in TWINS:
        verdict = checker.check(SqlCall(sql=pair.wrong), Caller(language=language), pair.asked)
        found = verdict.violations if isinstance(verdict, Refusal) else ()
        assert all(0 < len(each.hint) <= 80 for each in (*found, *verdict.warnings)), pair.asked
