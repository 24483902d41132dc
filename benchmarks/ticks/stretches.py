"""Answers with the places of true claims and of what an edit made wrong; how these are ticked."""

import difflib
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.data import read_lines
from veridical.contracts.proof import Proof, Tick

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
    raws = read_lines(path)
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


Gate = Callable[[Marked], Proof]
UNSEEN = "unseen"
_WORST = (Tick.CONTRADICTED, Tick.UNPROVEN, Tick.PROVEN)


def tick_of(span: Span, proof: Proof) -> str:
    """How a stretch is ticked: as the worst of the claims that touch it."""
    found = {claim.tick for claim in proof.claims if claim.start < span[1] and span[0] < claim.end}
    return next((tick for tick in _WORST if tick in found), UNSEEN)


def figures(items: Sequence[Marked], gate: Gate) -> dict[str, Any]:
    """All figures of one half of the domains."""
    true: Counter[str] = Counter()
    wrong: dict[str, Counter[str]] = defaultdict(Counter)
    own: Counter[str] = Counter()
    unmarked = 0
    for item in items:
        proof = gate(item)
        ticks = [tick_of(span, proof) for span in item.stretches]
        if item.is_good:
            true.update(ticks)
            own.update(claim.tick for claim in proof.claims)
        else:
            wrong[item.kind].update(ticks)
            unmarked += not proof.is_marked
    return {
        "true_claims": _shares(true),
        "ticks_of_good_answers": _shares(own),
        "wrong_stretches": _shares(sum(wrong.values(), Counter[str]())),
        "corrupted_unmarked": unmarked,
        "kinds": {kind: _shares(found) for kind, found in sorted(wrong.items())},
    }


def _shares(found: Counter[str]) -> dict[str, Any]:
    """How many there are, and which part of them is ticked how."""
    total = found.total()
    shares = {each: round(found[each] / total, 4) if total else 0.0 for each in _order()}
    return {"n": total, **shares}


def _order() -> Iterable[str]:
    return (*map(str, reversed(_WORST)), UNSEEN)
