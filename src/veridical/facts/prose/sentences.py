"""The sentences of the shown text, each with the pieces that stand in it."""

from collections.abc import Sequence
from dataclasses import dataclass

from veridical.facts.fact import Fact
from veridical.facts.prose.filled import Piece
from veridical.late_pattern import late_pattern
from veridical.reading.punctuation import HAN_CLOSING, wide_marks

_END = late_pattern(
    r"(?<!\b[A-Za-zÄÖÜäöü])[.!?](?=[\s*_)\]”\"]|$)[*_)\]”\"]*"
    rf"|[{wide_marks('.!?')}][{HAN_CLOSING}]*|\n+"
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence, one line of a list, one table."""

    start: int
    end: int
    pieces: tuple[Piece, ...]

    @property
    def text(self) -> str:
        """The shown text."""
        return "".join(piece.text for piece in self.pieces)

    @property
    def words(self) -> str:
        """The model's own words, a gap where a slot stands."""
        return "".join(piece.text if piece.is_own else " \u0000 " for piece in self.pieces)

    @property
    def own(self) -> tuple[Piece, ...]:
        """The pieces of the model's own words."""
        return tuple(piece for piece in self.pieces if piece.is_own)

    @property
    def sources(self) -> tuple[Fact, ...]:
        """The facts themselves."""
        pieces = {piece.fact: piece.source for piece in self.pieces}
        return tuple(fact for fact in pieces.values() if fact is not None)

    @property
    def facts(self) -> tuple[str, ...]:
        """The facts that its slots print."""
        return tuple(dict.fromkeys(piece.fact for piece in self.pieces if piece.fact))

    @property
    def is_exact(self) -> bool:
        """True if all of it is the host's."""
        own = "".join(piece.text for piece in self.pieces if not piece.is_exact)
        return not any(sign.isalnum() for sign in own) and any(
            piece.is_exact for piece in self.pieces
        )


def split(pieces: Sequence[Piece]) -> tuple[Sentence, ...]:
    """Sentences end in the model's words, never within a slot."""
    found: list[Sentence] = []
    current: list[Piece] = []
    for piece in pieces:
        if not piece.is_own:
            current.append(piece)
            continue
        at = 0
        for match in _END.finditer(piece.text):
            if _is_inner(piece.text, match.start(), match.end()):
                continue
            _take(current, piece, at, match.end())
            _close(found, current)
            at = match.end()
        _take(current, piece, at, len(piece.text))
    _close(found, current)
    return tuple(found)


def _is_inner(text: str, start: int, end: int) -> bool:
    """A full stop that ends no sentence: one before a small letter, or of a numbered line."""
    if text[start] != ".":
        return False
    after = text[end:].lstrip()[:1]
    before = text[:start].rpartition("\n")[2].strip()
    return after.islower() or before.isdecimal()


def _take(current: list[Piece], piece: Piece, start: int, end: int) -> None:
    if end > start:
        current.append(Piece(piece.start + start, piece.start + end, piece.text[start:end]))


def _close(found: list[Sentence], current: list[Piece]) -> None:
    if any(piece.text.strip() for piece in current):
        found.append(Sentence(current[0].start, current[-1].end, tuple(current)))
        current.clear()
    elif current and found:
        last = found[-1]
        found[-1] = Sentence(last.start, current[-1].end, (*last.pieces, *current))
        current.clear()
