"""A rewrite beside its source: what is kept, added, gone, and a placeholder."""

import re
from dataclasses import dataclass
from difflib import SequenceMatcher


@dataclass(frozen=True, slots=True)
class Change:
    """A stretch of a rewrite: ``same``, ``added``, ``gone`` or ``placeholder``.

    The text has the spaces around it that the rewrite has: stretches are shown side by side.
    """

    kind: str
    text: str


def changes(before: str, after: str) -> list[Change]:
    """The rewrite with what it keeps, adds and asks for; what is gone from the source."""
    old, new = _words(before), _words(after)
    found: list[Change] = []
    matcher = SequenceMatcher(None, _bare(old), _bare(new), autojunk=False)
    for kind, start, end, new_start, new_end in matcher.get_opcodes():
        if kind in ("delete", "replace"):
            found.append(Change("gone", f"{''.join(old[start:end]).strip()} "))
        if kind in ("insert", "replace"):
            found += _added("".join(new[new_start:new_end]))
        if kind == "equal":
            found.append(Change("same", "".join(new[new_start:new_end])))
    return found


def _words(text: str) -> list[str]:
    """Each word with the space behind it."""
    return re.findall(r"\S+\s*", text)


def _bare(words: list[str]) -> list[str]:
    return [word.rstrip() for word in words]


def _added(text: str) -> list[Change]:
    """The new text, with placeholders apart: they are questions."""
    pieces = re.split(r"(\[[^\]]*\])", text)
    return [
        Change("placeholder" if place % 2 else "added", piece)
        for place, piece in enumerate(pieces)
        if piece
    ]
