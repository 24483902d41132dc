"""A rendered annotation beside the text that it was written into: the same, piece by piece."""

import re
from dataclasses import dataclass
from itertools import takewhile

from veridical.contracts.language import Language
from veridical.gate.annotation.spellings import joint_pattern, piece_pattern, prose_pattern
from veridical.gate.references.shown import Part, Piece, Shown

_NEAR = 30


@dataclass(frozen=True, slots=True)
class Alignment:
    """Where each place of the rendered text is in the original."""

    places: dict[int, int]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The place of a piece, or of several that follow one another."""
        return self.places[start], self.places[end]


@dataclass(frozen=True, slots=True)
class Difference:
    """The first place at which a rendered annotation is not the text."""

    rendered: str
    original: str


def align(shown: Shown, text: str, language: Language) -> Alignment | Difference:
    """The rendered pieces laid over the text from its beginning to its end.

    Prose must stand there as it is, blanks apart. What was computed may be written in the other
    ways that ``spellings`` has. One piece has one end, so nothing is searched.
    """
    at = len(text) - len(text.lstrip())
    places: dict[int, int] = {}
    for piece in shown.pieces:
        places.setdefault(piece.start, at)
        found = _pattern(piece, language).match(text, at)
        if found is None:
            return _difference(shown.text[piece.start :], text[at:])
        at = places[piece.end] = found.end()
    if text[at:].strip():
        return _difference("", text[at:])
    return Alignment(places)


def _difference(rendered: str, original: str) -> Difference:
    """From the word in which the two part."""
    pairs = zip(rendered, original, strict=False)
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    start = rendered[:same].rfind(" ") + 1
    return Difference(rendered[start : start + _NEAR], original[start : start + _NEAR])


def _pattern(piece: Piece, language: Language) -> re.Pattern[str]:
    if piece.part is not Part.PROSE:
        return piece_pattern(piece, language)
    return joint_pattern(piece.text, language) or prose_pattern(piece.text)
