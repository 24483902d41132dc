"""Numbers, spans and halves are counted as the benchmark says."""

import json
from pathlib import Path
from typing import Any

from benchmarks.answer_gate import quintd
from benchmarks.answer_gate.sample import half_of
from veridical.contracts.proof import ClaimKind, Proof, ProvenClaim, Standing, Verdict
from veridical.gate.evidence.exhibit import Exhibit

OUTPUT = "On May 3rd, 2031 the Lynx won 4-1 before 1,204 people."


def written(folder: Path) -> Path:
    row: dict[str, Any] = {
        "domain": "games",
        "idx": 1,
        "model": "m",
        "prompt": "Based on the given data:\n```\n{'score': 4}\n```\nWrite.",
        "output": OUTPUT,
        "human_spans": [
            {"type": "INCORRECT", "text": "4-1", "start": OUTPUT.index("4-1")},
            {"type": "NOT_CHECKABLE", "text": "1,204 people", "start": OUTPUT.index("1,204")},
        ],
        "gpt4_spans": [{"type": "INCORRECT", "text": "2031", "start": OUTPUT.index("2031")}],
    }
    path = folder / quintd.FILE
    path.parent.mkdir()
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    return folder


def judge(text: str, exhibits: tuple[Exhibit, ...]) -> Proof:
    assert exhibits[0].text == "{'score': 4}"
    start = text.index("4-1")
    claim = ProvenClaim(
        kind=ClaimKind.NUMBER, text="4", start=start, end=start + 1, standing=Standing.UNGROUNDED
    )
    return Proof(verdict=Verdict.BLOCK, claims=(claim,))


def test_every_number_counts_once(tmp_path: Path) -> None:
    figures = quintd.number_level(written(tmp_path), judge)[f"{half_of('games/1')}:all"]
    assert figures["numbers"] == 4
    assert (figures["any_wrong"], figures["incorrect_wrong"]) == (2, 1)
    assert (figures["any_gate_precision"], figures["any_gate_recall"]) == (1.0, 0.5)
    assert (figures["incorrect_gate_precision"], figures["incorrect_gate_recall"]) == (1.0, 1.0)
    assert (figures["any_gpt4_precision"], figures["any_gpt4_recall"]) == (0.0, 0.0)


def test_samples_are_good_where_nothing_was_marked(tmp_path: Path) -> None:
    (sample,) = quintd.samples(written(tmp_path))
    assert not sample.good
    assert sample.rows == {"score": 4}
