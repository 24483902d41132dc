"""Counts of the benchmark of ticks."""

import json
from pathlib import Path

import pytest

from benchmarks.ticks.__main__ import main
from benchmarks.ticks.stretches import read_marked

ROWS = [{"shop": "Harbour", "loaves": 9120}, {"shop": "Station", "loaves": 13755}]
GOOD = "Harbour sold 9,120 loaves and Station 13,755."


def line(kind: str, answer: str, domain: str, **more: object) -> str:
    told = {"id": kind, "lang": "en", "domain": domain, "kind": kind, "question": "How many?"}
    label = "good" if kind == "good" else "corrupt"
    return json.dumps({**told, "label": label, "answer": answer, "evidence": ROWS, **more})


@pytest.fixture
def data(tmp_path: Path) -> Path:
    claims = [{"text": "9,120", "at": GOOD.index("9,120"), "value": 9120}]
    wrong = GOOD.replace("9,120", "9,210")
    lines = [
        line("good", GOOD, "bakery", claims=claims),
        line("figure", wrong, "bakery", edit=["sold 9,120 loaves", "sold 9,210 loaves"]),
        line("dropped", "Harbour sold 9,120 loaves.", "bakery", edit=[" and Station 13,755", ""]),
        line("good", GOOD, "saas", claims=claims),
    ]
    folder = tmp_path / "wild_answers"
    folder.mkdir()
    (folder / "second.jsonl").write_text("\n".join(lines), "utf-8")
    return tmp_path


def test_only_what_an_edit_changed_is_a_wrong_stretch(data: Path) -> None:
    items = read_marked(data / "wild_answers" / "second.jsonl", held_out=True)
    said = [[item.answer[start:end] for start, end in item.stretches] for item in items]
    assert said == [["9,120"], ["9,210"], []]


def test_ticks_are_counted_by_half(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["ticks", "--data", str(data), "--json"])
    main()
    found = json.loads(capsys.readouterr().out)
    assert found["held_out"]["true_claims"]["proven"] == 1.0
    assert found["held_out"]["wrong_stretches"] == {
        "n": 1, "proven": 0.0, "unproven": 0.0, "contradicted": 1.0, "unseen": 0.0,
    }  # fmt: skip
    assert found["development"]["true_claims"]["n"] == 1
    assert found["must_mark"]["unmarked"] == []
