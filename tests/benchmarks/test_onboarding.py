"""The benchmark's own parts: labels and findings are compared in the same words."""

import json
from pathlib import Path

from benchmarks.onboarding.folder import PLANTED, write_planted
from benchmarks.onboarding.scoring import Score, difference, summed


def test_what_is_planted_is_found(tmp_path: Path) -> None:
    folder = write_planted(tmp_path)
    keys = json.loads((folder / "gold_keys.json").read_text("utf-8"))
    semantics = json.loads((folder / "gold_semantics.json").read_text("utf-8"))
    found = [
        difference(folder, name, keys[name], semantics[name]).scores() for name in ("warehouse",)
    ]
    every = sum(summed(found).values(), Score()).as_json()
    assert set(keys) == set(PLANTED)
    assert every["precision"] >= 0.9
    assert every["recall"] >= 0.8


def test_a_label_that_nobody_finds_is_missed(tmp_path: Path) -> None:
    folder = write_planted(tmp_path)
    keys = {"tables": {"artikel": {"pk": ["bezeichnung"]}}, "fks": []}
    found = difference(folder, "warehouse", keys, {})
    assert found.missed["primary_key"] == {("artikel", "bezeichnung")}
    assert found.wrong["primary_key"] == {("artikel", "artikel_nr")}
