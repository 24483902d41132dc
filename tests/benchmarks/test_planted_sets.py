"""The databases of authors who had not seen the miner: true to their labels, every pair differs."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from benchmarks.onboarding.declared import Declared, declared
from benchmarks.onboarding.folder import planted, write_planted
from benchmarks.onboarding.pairs import pairs_of, write_pairs

FEWEST_PAIRS = {"blind": 40, "second": 60, "third": 90, "fourth": 80, "fifth": 80, "sixth": 80}
DATABASES = [(name, each) for name in FEWEST_PAIRS for each in planted(name)]
LONELY = {("CDR", "A_NR"): 78}
"""Rows without a parent that are planted themselves, by table and column."""
Written = Callable[[str], Path]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    """The folder of a set, written once."""
    folders: dict[str, Path] = {}

    def write(name: str) -> Path:
        if name not in folders:
            folders[name] = write_planted(tmp_path_factory.mktemp(name), name)
        return folders[name]

    return write


@pytest.fixture(params=sorted(FEWEST_PAIRS))
def name(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(params=DATABASES, ids="-".join)
def place(request: pytest.FixtureRequest) -> tuple[str, str]:
    return request.param


@pytest.fixture
def described(place: tuple[str, str]) -> Declared:
    name, database = place
    return planted(name)[database]


@pytest.fixture
def connection(written: Written, place: tuple[str, str]) -> Iterator[sqlite3.Connection]:
    name, database = place
    with closing(sqlite3.connect(written(name) / "db" / f"{database}.sqlite")) as opened:
        yield opened


def test_pairs_give_different_results(written: Written, name: str) -> None:
    lines = write_pairs(written(name), name).read_text("utf-8").splitlines()
    pairs = [json.loads(line) for line in lines]
    assert len({pair["id"] for pair in pairs}) == len(pairs) >= FEWEST_PAIRS[name]
    assert {pair["db"] for pair in pairs} == set(planted(name))


def test_questions_and_statements_are_written_once(name: str) -> None:
    pairs = [each for of in pairs_of(name).values() for each in of]
    for part in ("question", "wrong", "right"):
        assert len({pair[part] for pair in pairs}) == len(pairs)


def test_there_are_enough_tables_and_rows(
    connection: sqlite3.Connection, described: Declared
) -> None:
    tables = described.keys
    assert 12 <= len(tables) <= 16
    assert sum(_one(connection, f'SELECT COUNT(*) FROM "{table}"') for table in tables) > 5000


def test_labelled_links_hold(connection: sqlite3.Connection, described: Declared) -> None:
    for child, ours, parent, theirs, cardinality in described.foreign:
        pairs = list(zip(ours.split(","), theirs.split(","), strict=True))
        same = " AND ".join(f'c."{a}" = p."{b}"' for a, b in pairs)
        there = " AND ".join(f'c."{a}" IS NOT NULL' for a, _ in pairs)
        lonely = f'NOT EXISTS (SELECT 1 FROM "{parent}" p WHERE {same})'
        found = _one(connection, f'SELECT COUNT(*) FROM "{child}" c WHERE {there} AND {lonely}')
        assert found == LONELY.get((child, ours), 0), (child, ours)
        assert _repeated(connection, parent, theirs) == 0, (parent, theirs)
        if cardinality == "one_to_one":
            assert _repeated(connection, child, ours) == 0, (child, ours)


def test_labelled_lists_are_the_values_there_are(
    connection: sqlite3.Connection, described: Declared
) -> None:
    for place, values in described.semantics["codes"].items():
        table, column = place.split(".")
        there = connection.execute(f'SELECT DISTINCT "{column}" FROM "{table}"').fetchall()
        assert {each for (each,) in there} == set(values), place


def test_labelled_places_exist(connection: sqlite3.Connection, described: Declared) -> None:
    semantics = described.semantics
    places = {*semantics["units"], *semantics["units"].values(), *semantics["levels"]}
    for place in places:
        table, column = place.split(".")
        connection.execute(f'SELECT "{table}"."{column}" FROM "{table}" LIMIT 1')
    for named in ("snapshots", "validity"):
        for table, columns in semantics[named].items():
            names = {each[1] for each in connection.execute(f'PRAGMA table_info("{table}")')}
            assert names.issuperset(columns), table


def _one(connection: sqlite3.Connection, statement: str) -> int:
    return connection.execute(statement).fetchone()[0]


def _repeated(connection: sqlite3.Connection, table: str, columns: str) -> int:
    names = ", ".join(f'"{each}"' for each in columns.split(","))
    groups = f'SELECT 1 FROM "{table}" GROUP BY {names} HAVING COUNT(*) > 1'
    return _one(connection, f"SELECT COUNT(*) FROM ({groups})")


def test_a_word_that_is_no_label_is_refused() -> None:
    with pytest.raises(ValueError, match=r"t\.a: adittive"):
        declared("t\n  a INTEGER key adittive")
