"""A figure beside the name of another row, or of the other end, of the same fact."""

from collections.abc import Iterator, Mapping, Sequence

from veridical.facts.fact import Fact, Part, Role, key_of
from veridical.facts.prose.filled import Piece
from veridical.facts.prose.finding import Code, Level, ProseFinding
from veridical.facts.prose.sentences import Sentence

_CLOSE = 6
"""Signs by which another figure may be farther away and still be meant."""


def check(sentence: Sentence, facts: Mapping[str, Fact]) -> Iterator[ProseFinding]:
    """Figures whose row is not named where another of the same fact is."""
    slots = [piece for piece in sentence.pieces if piece.part is not None]
    for name in dict.fromkeys(piece.fact for piece in slots):
        if name not in facts:
            continue
        own = [piece for piece in slots if piece.fact == name]
        rows = _rows(facts[name])
        names = [piece for piece in own if _names_one(piece.part, rows)]
        figures = [piece for piece in own if piece.part and piece.part.role is Role.FIGURE
                   and piece.part.row]  # fmt: skip
        if names and figures:
            yield from _mismatched(names, figures)


def _rows(fact: Fact) -> set[str]:
    """The rows and ends that its figures belong to."""
    found = {part.row for part in fact.parts.values() if part.role is Role.FIGURE and part.row}
    return found | {key_of(name) for name in (fact.grid.names if fact.grid is not None else ())}


def _names_one(part: Part | None, rows: set[str]) -> bool:
    named = part is not None and part.role is Role.NAME and bool(part.row)
    return named and part is not None and key_of(part) in rows


def _mismatched(names: Sequence[Piece], figures: Sequence[Piece]) -> Iterator[ProseFinding]:
    """The figure next to a name is of that row, unless names and figures run in one order."""
    keys = [key_of(piece.part) for piece in names if piece.part]
    rows = [piece.part.row for piece in figures if piece.part]
    if list(dict.fromkeys(key for key in keys if key in rows)) == list(dict.fromkeys(rows)):
        return
    for piece, key in zip(names, keys, strict=True):
        beside = min(figures, key=lambda each: _gap(piece, each))
        row = beside.part.row if beside.part else key
        near = [each for each in figures if _gap(piece, each) <= _gap(piece, beside) + _CLOSE]
        if row == key or any(each.part and each.part.row == key for each in near):
            continue
        yield ProseFinding(Code.PAIRING, Level.MARKED, beside.text, beside.start, beside.end, row)


def _gap(name: Piece, figure: Piece) -> int:
    """Signs between two pieces."""
    return max(figure.start - name.end, name.start - figure.end)
