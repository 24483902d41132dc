"""Quintd-1: texts of four models over records of five domains, with the error spans of people.

What is measured, **number by number**: a number is every longest run of digits and the signs that
join them (``. , : ' ’ / -``), so that ``1,204.5``, ``17:00``, ``4-1``, ``23/24`` and ``2024-01-04``
are one number each, and ``January 4th, 2024`` has two. A number is wrong when a person's span
overlaps it: a span of any type (INCORRECT, NOT_CHECKABLE, MISLEADING, OTHER), and as a second
figure one of type INCORRECT. The gate says wrong when a claim that overlaps the number is
ungrounded or contradicted. GPT-4's own spans are measured by the very same numbers; for the second
figure only its spans of type INCORRECT count.

The evidence is the data of the prompt as text; the split is by domain and record, so that the
four texts about one record are in the same half.
"""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks.answer_gate.figures import Figures, share
from benchmarks.answer_gate.sample import Sample, half_of
from veridical.contracts.proof import Proof, Standing
from veridical.gate.evidence.exhibit import Exhibit
from veridical.gate.evidence.structured import record_in

FILE = Path("quintd") / "quintd1_test_merged.jsonl"
NUMBER = re.compile(r"\d(?:[\d.,:'’/-]*\d)?")
_DATA = re.compile(r"```\n?(.*?)\n?```", re.DOTALL)
_WRONG = frozenset({Standing.UNGROUNDED, Standing.CONTRADICTED})

Span = tuple[int, int]
Judge = Callable[[str, tuple[Exhibit, ...]], Proof]


def samples(data: Path) -> Iterator[Sample]:
    """Every text; good are those in which nobody marked anything."""
    for at, row in enumerate(_rows(data)):
        yield Sample(
            id=f"{row['domain']}:{row['idx']}:{row['model']}:{at}",
            group=_group(row),
            answer=row["output"],
            exhibits=_exhibits(row),
            rows=record_in(_data(row)),
            good=not row["human_spans"],
            kind=row["domain"],
        )


def number_level(data: Path, judge: Judge) -> dict[str, Figures]:
    """Precision and recall per half and domain, for the gate and for GPT-4."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for row in _rows(data):
        proof = judge(row["output"], _exhibits(row))
        count = _counted(row, proof)
        half = half_of(_group(row))
        counts[f"{half}:{row['domain']}"] += count
        counts[f"{half}:all"] += count
    return {name: _figures(count) for name, count in sorted(counts.items())}


def _rows(data: Path) -> Iterator[dict[str, Any]]:
    with (data / FILE).open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _group(row: Mapping[str, Any]) -> str:
    return f"{row['domain']}/{row['idx']}"


def _data(row: Mapping[str, Any]) -> str:
    found = _DATA.search(row["prompt"])
    return found.group(1) if found else row["prompt"]


def _exhibits(row: Mapping[str, Any]) -> tuple[Exhibit, ...]:
    return (Exhibit(name=row["domain"], text=_data(row)),)


def _counted(row: Mapping[str, Any], proof: Proof) -> Counter[str]:
    ours = [(claim.start, claim.end) for claim in proof.claims if claim.standing in _WRONG]
    people, people_incorrect = _spans(row["human_spans"])
    model, model_incorrect = _spans(row["gpt4_spans"])
    count: Counter[str] = Counter()
    for number in NUMBER.finditer(row["output"]):
        at = number.span()
        count["numbers"] += 1
        _tally(count, "any", _hit(at, people), _hit(at, ours), _hit(at, model))
        _tally(
            count,
            "incorrect",
            _hit(at, people_incorrect),
            _hit(at, ours),
            _hit(at, model_incorrect),
        )
    return count


def _tally(count: Counter[str], name: str, wrong: bool, ours: bool, model: bool) -> None:
    count[f"{name}:wrong"] += wrong
    count[f"{name}:gate"] += ours
    count[f"{name}:gpt4"] += model
    count[f"{name}:gate_right"] += wrong and ours
    count[f"{name}:gpt4_right"] += wrong and model


def _spans(marked: Iterable[Mapping[str, Any]]) -> tuple[list[Span], list[Span]]:
    """Where something was marked: of any type, and of type INCORRECT."""
    spans = [(span["start"], span["start"] + len(span["text"]), span["type"]) for span in marked]
    return (
        [(start, end) for start, end, _ in spans],
        [(start, end) for start, end, kind in spans if kind == "INCORRECT"],
    )


def _hit(at: Span, spans: Iterable[Span]) -> bool:
    return any(start < at[1] and at[0] < end for start, end in spans)


def _figures(count: Counter[str]) -> Figures:
    figures: Figures = {"numbers": count["numbers"]}
    for name in ("any", "incorrect"):
        figures[f"{name}_wrong"] = count[f"{name}:wrong"]
        for who in ("gate", "gpt4"):
            right = count[f"{name}:{who}_right"]
            figures[f"{name}_{who}_precision"] = share(right, count[f"{name}:{who}"])
            figures[f"{name}_{who}_recall"] = share(right, count[f"{name}:wrong"])
    return figures
