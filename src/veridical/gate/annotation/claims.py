"""What the condition of an annotated claim must share with its words: subject, rank and limits.

A writer says in the condition what the words mean. One who annotates can look for any condition
that licenses the words: another row that is the highest, the third lowest of three, rows below a
limit that nobody wrote. So the subject is the row that stands there, and numbers are said.
"""

from collections.abc import Iterator

from veridical.gate.kernel import expression as ex
from veridical.gate.references.host import Host
from veridical.gate.references.leaves import RowSet, leaves
from veridical.gate.references.sentences import PARTING, Sentence, sentences
from veridical.gate.references.shown import Asserted, Part, Piece, Shown
from veridical.gate.references.words import Words
from veridical.late_pattern import late_pattern
from veridical.reading.numbers import read_figure

_NUMBER = late_pattern(r"\d[\d.,'’]*\d|\d")


def unlike(shown: Shown, host: Host, vocabulary: Words) -> Iterator[Asserted]:
    """The claims whose condition is about another row, or has a rank or limit that nobody said."""
    for sentence in sentences(shown):
        for claim in sentence.claims:
            if claim.expression is None or not claim.holds:
                continue
            text = shown.text[claim.start : claim.end]
            wanted = set(_limits(claim.expression)) | set(_ranks(claim.expression))
            if not wanted <= _said(text, vocabulary) or not _is_of_subject(claim, sentence, host):
                yield claim


def _limits(found: object) -> Iterator[float]:
    """The numbers by which rows are chosen, at any depth; nought is none."""
    if isinstance(found, ex.Where):
        for side in (found.left, found.right):
            yield from _literals(side)
    for inner in _inner(found):
        yield from _limits(inner)


def _literals(found: object) -> Iterator[float]:
    if isinstance(found, ex.Number):
        yield from [found.value] if found.value else []
    else:
        for inner in _inner(found):
            yield from _literals(inner)


def _ranks(found: object) -> Iterator[float]:
    """How many rows a rank has, or which it is, unless it is the first or the last."""
    if isinstance(found, ex.Ranked) and abs(found.last) > 1:
        yield float(abs(found.last))
    for inner in _inner(found):
        yield from _ranks(inner)


def _inner(found: object) -> Iterator[object]:
    for name in getattr(found, "__dataclass_fields__", ()):
        value = getattr(found, name)
        yield from value if isinstance(value, tuple) else (value,)


def _said(text: str, vocabulary: Words) -> set[float]:
    """The numbers and ranks in the words of a claim."""
    said = {each.value for match in _NUMBER.finditer(text) for each in read_figure(match[0])}
    lowered, base = text.lower(), vocabulary.base
    said |= {float(base.numbers[match[0]]) for match in base.number.finditer(lowered)}
    for match in base.ordinal.finditer(lowered):
        said |= {float(at) for word, at in base.ordinals.items() if match[0].startswith(word)}
    return said


def _is_of_subject(claim: Asserted, sentence: Sentence, host: Host) -> bool:
    """Whether the row that a condition is about is the one that stands beside its words."""
    subject, is_pair = _subject(claim.expression, host)
    names = [
        piece
        for piece in sentence.pieces
        if piece.part is Part.NAME and (piece.own or piece.rows) is not None
    ]
    if subject is None:
        return True
    if not names:
        # the sentence goes on about a row: its figures tell which
        figures = [each for each in sentence.pieces if each.part is Part.FIGURE]
        about = {leaf.row_set for each in figures for leaf in each.leaves}
        rows = {each for each in about if len(each[1]) == 1}
        return not rows or subject in rows
    before = [piece for piece in names if piece.end <= claim.start]
    beside = [piece for piece in names if _is_beside(piece, claim, sentence)]
    if is_pair:
        beside = before[-1:] or beside
    near = beside or before[-1:] or names[:1]
    return any(_rows(piece) == subject for piece in near)


def _subject(found: ex.Expression | None, host: Host) -> tuple[RowSet | None, bool]:
    """The single row that a condition is about, and whether it compares it with another."""
    if not isinstance(found, ex.Same | ex.Within | ex.Compare):
        return None, False
    about = leaves(found, host.evaluator)
    if not about or len(about[0].rows.rows) != 1:
        return None, False
    rows = {leaf.row_set for leaf in about}
    return about[0].row_set, len(rows) > 1


def _rows(piece: Piece) -> RowSet:
    rows = piece.own or piece.rows
    return (rows.table.name, frozenset(rows.rows)) if rows is not None else ("", frozenset())


def _is_beside(piece: Piece, claim: Asserted, sentence: Sentence) -> bool:
    """Whether no comma or other mark parts a name from a claim."""
    first, last = sorted(((piece.start, piece.end), (claim.start, claim.end)))
    between = sentence.text[first[1] - sentence.start : max(first[1], last[0]) - sentence.start]
    return not PARTING.search(between)
