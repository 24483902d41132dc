"""The benchmark's own parts: labels and findings are compared in the same words."""

import json
from pathlib import Path

import pytest

from benchmarks.onboarding import mutants, traps
from benchmarks.onboarding.folder import OWN, planted, write_planted
from benchmarks.onboarding.scoring import Score, difference, summed


def test_what_is_planted_is_found(tmp_path: Path) -> None:
    folder = write_planted(tmp_path)
    keys = json.loads((folder / "gold_keys.json").read_text("utf-8"))
    semantics = json.loads((folder / "gold_semantics.json").read_text("utf-8"))
    found = [
        difference(folder, name, keys[name], semantics[name]).scores() for name in ("warehouse",)
    ]
    every = sum(summed(found).values(), Score()).as_json()
    assert set(keys) == set(planted(OWN))
    assert every["precision"] >= 0.9
    assert every["recall"] >= 0.8


def test_a_label_that_nobody_finds_is_missed(tmp_path: Path) -> None:
    folder = write_planted(tmp_path)
    keys = {"tables": {"artikel": {"pk": ["bezeichnung"]}}, "fks": []}
    found = difference(folder, "warehouse", keys, {})
    assert found.missed["primary_key"] == {("artikel", "bezeichnung")}
    assert found.wrong["primary_key"] == {("artikel", "artikel_nr")}


def test_what_is_mined_and_confirmed_tells_planted_statements_apart(tmp_path: Path) -> None:
    folder = write_planted(tmp_path)
    lines = [
        {
            "id": "stock",
            "db": "warehouse",
            "kind": "snapshot",
            "question": "",
            "wrong": "SELECT SUM(menge) FROM bestand",
            "right": "SELECT SUM(menge) FROM bestand"
            " WHERE stichtag = (SELECT MAX(stichtag) FROM bestand)",
        }
    ]
    path = tmp_path / "traps.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in lines), "utf-8")
    found = traps.run(path, folder, None)
    assert found["traps_told_apart"] == 1
    assert found["traps_right_blocked"] == 0


@pytest.mark.postgres
@pytest.mark.slow
def test_mutants_under_what_is_mined_on_a_few_calls() -> None:
    figures = mutants.run(sample=20, legal=40)
    assert figures["mutants_total"] > 100
    assert figures["legal_rejected"] <= 0.05
    assert figures["mutants_caught"] >= 0.7
    assert figures["mutants_caught_confirmed"] >= figures["mutants_caught"]
