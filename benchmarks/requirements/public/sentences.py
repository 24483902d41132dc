"""Rules against what people said of single sentences of public sets: pronouns, duties, alarms."""

import csv
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.data import read_lines
from benchmarks.requirements.public.score import Call, Half, half_of, scores
from veridical.requirements.inspection import inspect
from veridical.requirements.rules.obligation import missing_obligation
from veridical.requirements.rules.pronouns import ambiguous_pronouns
from veridical.requirements.tokens import read

_TAG = re.compile(r"<referential>(.*?)</referential>")
_PAPER = "P about 0.60 at R 1.00 (supervised and SpanBERT, ICSE 2022)"


class Pronoun(NamedTuple):
    """One occurrence with its context, the place of the pronoun and the verdict of people."""

    key: str
    text: str
    start: int
    ambiguous: bool


def pronouns(data: Path, half: Half) -> dict[str, Any]:
    """The figures of each set that is there."""
    sets = {
        "reqeval": (data / "reqeval_ambiguity" / "data", _reqeval),
        "reqeval_cleaned": (data / "damir" / "reqeval_detection.jsonl", _cleaned),
        "damir": (data / "damir" / "damir.jsonl", _damir),
    }
    return {
        name: scores(
            (
                Call(each.ambiguous, called(each))
                for each in reader(path)
                if half_of(each.key.split("-")[0] if "#" in each.key else each.key) is half
            ),
            _PAPER,
        )
        for name, (path, reader) in sets.items()
        if path.exists()
    }


def called(pronoun: Pronoun) -> bool | None:
    """What the rule says of this occurrence; nothing where it does not know the pronoun."""
    tokens = read(pronoun.text, "en")
    place = next((p for p, each in enumerate(tokens.all) if each.start == pronoun.start), None)
    if place is None or not tokens.is_in("pronouns", place):
        return None
    return any(mark.first == place for mark in ambiguous_pronouns(tokens))


def _reqeval(folder: Path) -> Iterator[Pronoun]:
    for name in ("training.tsv", "test.tsv"):
        with (folder / name).open(encoding="utf-8", newline="") as lines:
            for row in csv.DictReader(lines, delimiter="\t"):
                found = _TAG.search(row["Sentence"])
                if found is not None:
                    text = _TAG.sub(r"\1", row["Sentence"])
                    yield Pronoun(
                        row["ID"], text, found.start(), row["Detected as"].strip() == "NOCUOUS"
                    )


def _cleaned(path: Path) -> Iterator[Pronoun]:
    for item in read_lines(path):
        found = re.search(rf"\b{re.escape(item['pronoun'])}\b", item["context"], re.IGNORECASE)
        start = found.start() if found else -1
        yield Pronoun(item["id"], item["context"], start, item["label"] == "AMBIGUOUS")


def _damir(path: Path) -> Iterator[Pronoun]:
    for item in read_lines(path):
        start = _nth(item["context"], item["pronoun"], item["position"])
        yield Pronoun(item["id"], item["context"], start, item["ambiguous"])


def _nth(text: str, word: str, position: int) -> int:
    """Where a pronoun stands: of its occurrences, the one nearest to the counted word."""
    found = [each.start() for each in re.finditer(rf"\b{re.escape(word)}\b", text, re.IGNORECASE)]
    return min(found, key=lambda at: abs(len(text[:at].split()) - position), default=-1)


_TEXT, _LABEL = 1, 3
"""Columns of the file."""


def obliging(data: Path, half: Half) -> dict[str, Any]:
    """The figures of the sentences of one half; the sentence obliges where IMP0 finds nothing."""
    path = data / "req_classes" / "pure_test.csv"
    if not path.exists():
        return {}
    with path.open(encoding="utf-8", errors="replace", newline="") as lines:
        rows = [row for row in csv.reader(lines) if len(row) > _LABEL][1:]
    calls = [
        Call(label.strip() == "Req", not any(missing_obligation(read(text, "en"))))
        for text, label in ((row[_TEXT], row[_LABEL]) for row in rows)
        if half_of(text) is half
    ]
    return {"obliges": scores(calls)}


def alarms(data: Path, half: Half) -> dict[str, Any]:
    """How many requirements have findings, and how many findings each rule has."""
    path = data / "req_de_bsi" / "requirements.jsonl"
    if not path.exists():
        return {}
    texts = [item["statement"] for item in read_lines(path) if half_of(item["id"]) is half]
    found = [[each.rule for each in inspect(text, "de").findings] for text in texts]
    return {
        "requirements": len(texts),
        "with_findings": sum(bool(rules) for rules in found),
        "findings": sum(map(len, found)),
        "by_rule": dict(Counter(rule for rules in found for rule in rules).most_common()),
    }
