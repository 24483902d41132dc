"""The databases by somebody who had not seen the miner: their labels are true of their rows."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from benchmarks.onboarding.folder import BLIND, write_planted
from benchmarks.onboarding.planted_blind.declared import declared
from benchmarks.onboarding.planted_blind.pairs import write_pairs


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_planted(tmp_path_factory.mktemp("blind"), BLIND)


def _each(folder: Path) -> Iterator[tuple[sqlite3.Connection, dict[str, Any], dict[str, Any]]]:
    keys = json.loads((folder / "gold_keys.json").read_text("utf-8"))
    semantics = json.loads((folder / "gold_semantics.json").read_text("utf-8"))
    for name in BLIND:
        with closing(sqlite3.connect(folder / "db" / f"{name}.sqlite")) as connection:
            yield connection, keys[name], semantics[name]


def test_a_link_has_the_cardinality_that_it_is_labelled_with(folder: Path) -> None:
    for connection, keys, _ in _each(folder):
        for link in keys["fks"]:
            columns = ", ".join(f'"{each}"' for each in link["child_cols"])
            present = " AND ".join(f'"{each}" IS NOT NULL' for each in link["child_cols"])
            most = connection.execute(
                f'SELECT COUNT(*) FROM "{link["child"]}" WHERE {present} GROUP BY {columns} '
                "ORDER BY 1 DESC LIMIT 1"
            ).fetchone()[0]
            assert (most == 1) == (link["cardinality"] == "one_to_one"), link


def test_a_closed_list_has_the_values_of_its_column(folder: Path) -> None:
    for connection, _, semantics in _each(folder):
        for place, values in semantics["codes"].items():
            table, column = place.split(".")
            found = connection.execute(f'SELECT DISTINCT "{column}" FROM "{table}"').fetchall()
            assert {value for (value,) in found} == set(values), place


def test_the_statements_of_every_pair_differ(folder: Path) -> None:
    written = write_pairs(folder).read_text("utf-8").splitlines()
    assert len({json.loads(line)["id"] for line in written}) == len(written) >= 40


def test_a_word_that_is_no_label_is_refused() -> None:
    with pytest.raises(ValueError, match=r"t\.a: adittive"):
        declared("t\n  a INTEGER key adittive")
