"""Referenced answers as JSON lines: one item each, with its evidence or where that is kept."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from veridical.contracts.language import Language


@dataclass(frozen=True, slots=True)
class Item:
    """A question with its evidence and the template that a model wrote."""

    id: str
    language: Language
    question: str
    evidence: Any
    text: str
    second: str | None = None
    """What it wrote after one message."""


def read_items(paths: Iterable[Path], evidence_of: Iterable[Path]) -> list[Item]:
    """All items of the files; evidence that is only named is looked up by its id."""
    kept = {each["id"]: each for path in evidence_of for each in _lines(path)}
    return [_item(each, kept) for path in paths for each in _lines(path)]


def _item(raw: Mapping[str, Any], kept: Mapping[str, Any]) -> Item:
    evidence = raw.get("evidence")
    if evidence is None or isinstance(evidence, str):
        evidence = kept[evidence or raw["id"]]["evidence"]
    text = raw["text"] if "text" in raw else raw["referenced"]
    return Item(
        id=raw["id"],
        language=Language(raw["lang"]),
        question=raw["question"],
        evidence=evidence,
        text=text,
        second=raw.get("second"),
    )


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text("utf-8").splitlines():
        if line.strip():
            yield json.loads(line)
