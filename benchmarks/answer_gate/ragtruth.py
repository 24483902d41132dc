"""RAGTruth, data-to-text: overviews of a business that six models wrote from one JSON record.

150 records with six answers each. An answer is good when the annotators marked no span of it; a
marked one must be blocked, whatever the type of the mark. A group is a record. The file comes with
the public repository FaithJudge, which also holds the answers of newer models to the same records,
judged by a model: they are a second, weaker figure (``--judged``).

Run: python -m benchmarks.answer_gate.ragtruth --data DIR [--judged] [--misses]
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.answer_gate.lexicons import check
from benchmarks.answer_gate.sample import Half, Sample, half_of
from veridical.contracts.proof import Proof, Standing, Verdict
from veridical.gate.evidence.exhibit import Exhibit

FOLDER = "ragtruth_faithjudge"
QUESTION = ""
HALVES: tuple[Half, ...] = ("read", "held_out")
_WRONG = (Standing.UNGROUNDED, Standing.CONTRADICTED, Standing.ILLEGAL)


@dataclass(frozen=True, slots=True)
class Mark:
    """A span that an annotator marked."""

    start: int
    end: int
    type: str


def samples(data: Path) -> Iterator[Sample]:
    """Every answer that people annotated."""
    for sample, _ in marked_samples(data):
        yield sample


def marked_samples(data: Path) -> Iterator[tuple[Sample, tuple[Mark, ...]]]:
    """Every annotated answer with its marks."""
    for line in (data / FOLDER / "eval_data" / "ragtruth_data2txt.jsonl").open(encoding="utf-8"):
        source: dict[str, Any] = json.loads(line)
        for each in source["responses"]:
            marks = tuple(_mark(label) for label in each["labels"])
            yield _sample(source, each["model"], each["response"], good=not marks), marks


def judged_samples(data: Path) -> Iterator[Sample]:
    """The answers of newer models, good where the judging model found them consistent."""
    sources = {str(sample.group): sample for sample in samples(data)}
    for line in (data / FOLDER / "judged_outputs.jsonl").open(encoding="utf-8"):
        each: dict[str, Any] = json.loads(line)
        known = sources.get(str(each["source_id"]))
        if known is not None and "data2txt" in each["task"]:
            good = each["judge_class"] == "Consistent"
            source = {"source_id": known.group, "source": known.exhibits[0].record}
            yield _sample(source, each["model"], each["output"], good=good)


def _sample(source: dict[str, Any], model: str, answer: str, *, good: bool) -> Sample:
    record = source["source"]
    group = str(source["source_id"])
    exhibits = (Exhibit(name="record", record=record),)
    rows = [dict(_flat("", record))]
    return Sample(f"{group}/{model}", group, answer, exhibits, rows, good, QUESTION, model)


def _flat(path: str, node: Any) -> Iterator[tuple[str, Any]]:
    """The record as one row: nested keys joined by dots."""
    if isinstance(node, dict):
        for key, value in node.items():
            yield from _flat(f"{path}.{key}" if path else str(key), value)
    elif isinstance(node, list):
        for number, value in enumerate(node):
            yield from _flat(f"{path}.{number}", value)
    else:
        yield path, node


def _mark(label: dict[str, Any]) -> Mark:
    kind = label["label_type"]
    kind += ", about a null" if label["due_to_null"] else ""
    kind += ", yet true" if label["implicit_true"] else ""
    return Mark(label["start"], label["end"], kind)


def measure(data: Path, half: Half) -> dict[str, Any]:
    """Precision, recall, F1 and false blocks of the answers, and the share of marks hit by type."""
    counted: Counter[tuple[bool, bool]] = Counter()
    marks: Counter[str] = Counter()
    hit: Counter[str] = Counter()
    for sample, marked in marked_samples(data):
        if half_of(sample.group) != half:
            continue
        proof = check(sample.answer, sample.exhibits)
        counted[sample.good, proof.verdict is Verdict.BLOCK] += 1
        spans = [(claim.start, claim.end) for claim in proof.claims if claim.standing in _WRONG]
        for mark in marked:
            marks[mark.type] += 1
            hit[mark.type] += any(s < mark.end and mark.start < e for s, e in spans)
    return rates(counted) | {"marks": {kind: f"{hit[kind]}/{marks[kind]}" for kind in marks}}


def measure_judged(data: Path, half: Half) -> dict[str, Any]:
    """The same over the answers that only a model judged."""
    counted: Counter[tuple[bool, bool]] = Counter()
    for sample in judged_samples(data):
        if half_of(sample.group) == half:
            proof = check(sample.answer, sample.exhibits)
            counted[sample.good, proof.verdict is Verdict.BLOCK] += 1
    return rates(counted)


def rates(counted: Counter[tuple[bool, bool]]) -> dict[str, Any]:
    """From counts by (good, blocked)."""
    caught, missed = counted[False, True], counted[False, False]
    wrongly, passed = counted[True, True], counted[True, False]
    precision = caught / max(1, caught + wrongly)
    recall = caught / max(1, caught + missed)
    return {
        "answers": sum(counted.values()),
        "precision": round(precision, 4),
        "recall": round(recall, 4),
        "f1": round(2 * precision * recall / max(1e-9, precision + recall), 4),
        "false_block": round(wrongly / max(1, wrongly + passed), 4),
    }


def _reasons(proof: Proof) -> Iterator[str]:
    for finding in proof.findings:
        if finding.mode == "block":
            yield f"  ! {finding.code} {finding.claim!r}: {finding.nearest}"


def _print_misses(data: Path) -> None:
    for sample, marked in marked_samples(data):
        if sample.half != "read":
            continue
        proof = check(sample.answer, sample.exhibits)
        if (proof.verdict is Verdict.BLOCK) != sample.good:
            continue
        head = "blocked though right" if sample.good else "passed though wrong"
        print(f"=== {head}: {sample.id}")
        for mark in marked:
            print(f"  [{mark.type}] {sample.answer[mark.start : mark.end]!r}")
        print("\n".join(_reasons(proof)))


def main() -> None:
    """Print the figures of both halves, or the misses of the half that is read."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--judged", action="store_true")
    parser.add_argument("--misses", action="store_true")
    options = parser.parse_args()
    if options.misses:
        _print_misses(options.data)
        return
    for half in HALVES:
        print(half, json.dumps(measure(options.data, half)))
        if options.judged:
            print(half, "judged by a model", json.dumps(measure_judged(options.data, half)))


if __name__ == "__main__":
    main()
