"""Counts of the benchmark over unseen domains."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.wild_answers.__main__ import main
from benchmarks.wild_answers.items import Half, read_items

ROWS = [{"shop": "Harbour", "loaves": 9120}, {"shop": "Station", "loaves": 13755}]


def line(pair: str, kind: str, answer: str, domain: str) -> dict[str, Any]:
    return {
        "id": f"{pair}-{kind}",
        "pair": pair,
        "lang": "en",
        "domain": domain,
        "label": "good" if kind == "good" else "corrupt",
        "kind": kind,
        "question": "How many loaves?",
        "answer": answer,
        "evidence": ROWS,
    }


@pytest.fixture
def path(tmp_path: Path) -> Path:
    lines = [
        line("a", "good", "Harbour sold 9,120 loaves.", "bakery"),
        line("a", "figure", "Harbour sold 9,210 loaves.", "bakery"),
        line("b", "good", "Station made 77,777 rolls.", "mill"),
        line("b", "figure", "Station made 77,777 rolls.", "mill"),
    ]
    found = tmp_path / "set.jsonl"
    found.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    return found


def test_halves_are_whole_domains_and_share_none(path: Path) -> None:
    first = {item.domain for item in read_items([path], Half.DEVELOPMENT)}
    second = {item.domain for item in read_items([path], Half.HELD_OUT)}
    assert (len(first), len(second)) == (1, 1)
    assert first | second == {"bakery", "mill"}


def test_what_the_true_twin_is_blocked_for_too_is_not_caught(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["wild_answers", "--set", str(path), "--json"])
    main()
    found = json.loads(capsys.readouterr().out)
    assert (found["good"], found["corrupted"]) == (2, 2)
    assert (found["good_blocked"], found["attributed"]) == (0.5, 0.5)
    assert found["good_hidden"] == 0.0
