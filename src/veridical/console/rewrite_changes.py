"""A rewrite beside its source: what is kept, added, gone and asked for."""

from dataclasses import dataclass
from difflib import SequenceMatcher


@dataclass(frozen=True, slots=True)
class Change:
    """A stretch of a rewrite: ``same``, ``added``, ``gone`` or ``asked``."""

    kind: str
    text: str


def changes(before: str, after: str) -> list[Change]:
    """The rewrite with what it keeps, adds and asks for; what is gone from the source."""
    old, new = before.split(), after.split()
    found: list[Change] = []
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for kind, start, end, new_start, new_end in matcher.get_opcodes():
        if kind in ("delete", "replace"):
            found.append(Change("gone", " ".join(old[start:end])))
        if kind in ("insert", "replace"):
            found += _added(" ".join(new[new_start:new_end]))
        if kind == "equal":
            found.append(Change("same", " ".join(new[new_start:new_end])))
    return found


def _added(text: str) -> list[Change]:
    """What is new, with placeholders apart: they are questions."""
    found: list[Change] = []
    rest = text
    while "[" in rest and "]" in rest[rest.index("[") :]:
        start = rest.index("[")
        end = rest.index("]", start) + 1
        if rest[:start].strip():
            found.append(Change("added", rest[:start].strip()))
        found.append(Change("asked", rest[start:end]))
        rest = rest[end:]
    if rest.strip():
        found.append(Change("added", rest.strip()))
    return found
