"""Pronouns that people found ambiguous, of ReqEval and DAMIR, against the rule for pronouns."""

import csv
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.requirements.public.half import Half, half_of
from benchmarks.requirements.public.score import Call, scores
from veridical.requirements.rules import pro
from veridical.requirements.tokens import read

_TAG = re.compile(r"<referential>(.*?)</referential>")
_PAPER = "P about 0.60 at R 1.00 (supervised and SpanBERT, ICSE 2022)"


class Pronoun(NamedTuple):
    """One occurrence with its context, the place of the pronoun and the verdict of people."""

    key: str
    text: str
    start: int
    ambiguous: bool


def measure(data: Path, half: Half) -> dict[str, Any]:
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
    return any(mark.first == place for mark in pro.find(tokens))


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
    for line in path.read_text("utf-8").splitlines():
        item = json.loads(line)
        found = re.search(rf"\b{re.escape(item['pronoun'])}\b", item["context"], re.IGNORECASE)
        start = found.start() if found else -1
        yield Pronoun(item["id"], item["context"], start, item["label"] == "AMBIGUOUS")


def _damir(path: Path) -> Iterator[Pronoun]:
    for line in path.read_text("utf-8").splitlines():
        item = json.loads(line)
        start = _nth(item["context"], item["pronoun"], item["position"])
        yield Pronoun(item["id"], item["context"], start, item["ambiguous"])


def _nth(text: str, word: str, position: int) -> int:
    """Where a pronoun stands: of its occurrences, the one nearest to the counted word."""
    found = [each.start() for each in re.finditer(rf"\b{re.escape(word)}\b", text, re.IGNORECASE)]
    return min(found, key=lambda at: abs(len(text[:at].split()) - position), default=-1)
