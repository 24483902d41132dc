"""Answers with the places of their true claims, and of what an edit made wrong in their twins."""

import difflib
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DEVELOPMENT = frozenset({"restaurant", "saas", "parcel", "trial", "admissions"})
"""Domains that were read while the gate was written; all others are held out."""

Span = tuple[int, int]
_TOKEN = re.compile(r"[A-Za-zÀ-ÿ]+|\d(?:[\d.,'’\u202f]*\d)?|\S")
_WORDS = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class Marked:
    """One answer, and the stretches of it that are known to be true or wrong."""

    id: str
    language: str
    domain: str
    kind: str
    question: str
    evidence: Any
    answer: str
    stretches: tuple[Span, ...]

    @property
    def is_good(self) -> bool:
        """Whether the stretches are true."""
        return self.kind == "good"


def read_marked(path: Path, *, held_out: bool) -> list[Marked]:
    """The answers of one half of the domains."""
    raws = map(json.loads, path.read_text("utf-8").splitlines())
    return [_marked(raw) for raw in raws if (raw["domain"] not in DEVELOPMENT) is held_out]


def _marked(raw: dict[str, Any]) -> Marked:
    good = raw["label"] == "good"
    spans = _claimed(raw) if good else _edited(raw["answer"], raw["edit"])
    return Marked(
        raw["id"], raw["lang"], raw["domain"], "good" if good else raw["kind"],
        raw["question"], raw["evidence"], raw["answer"], tuple(spans),
    )  # fmt: skip


def _claimed(raw: dict[str, Any]) -> Iterator[Span]:
    """Where the true claims stand: figures, dates, names; what a yes or a row of words comes to is
    no stretch that carries a tick."""
    for claim in raw["claims"]:
        if not isinstance(claim["value"], bool):
            yield claim["at"], claim["at"] + len(claim["text"])


def _edited(answer: str, edit: tuple[str | None, str]) -> Iterator[Span]:
    """The stretches that an edit changed; what it only took away leaves nothing to mark."""
    before, after = edit
    at = answer.find(after)
    if at < 0 or not after:
        return
    if before is None:
        yield at, at + len(after)
        return
    old, new = list(_TOKEN.finditer(before)), list(_TOKEN.finditer(after))
    matcher = difflib.SequenceMatcher(None, _texts(old), _texts(new), autojunk=False)
    for tag, _, _, first, last in matcher.get_opcodes():
        if tag in ("replace", "insert") and _WORDS.search("".join(_texts(new[first:last]))):
            yield at + new[first].start(), at + new[last - 1].end()


def _texts(found: Iterable[re.Match[str]]) -> list[str]:
    return [each[0] for each in found]
