"""Changes given by their two ends: from 132,600 in 2018 to 171,100.

The row of the second end is seldom named, so that the name beside the first would bind both. Two
cells of one column are what such a pair shows, whatever rows are named around it.
"""

from collections.abc import Iterator, Sequence

from veridical.gate.languages.forms import forms
from veridical.gate.prover.derive import Deriver
from veridical.gate.prover.facts import Fact, FactReader
from veridical.gate.prover.figures import Figure
from veridical.gate.prover.match import Match
from veridical.gate.prover.measures import ColumnRef
from veridical.gate.prover.scope import FigureScope
from veridical.reading.punctuation import marks

_APART = 32
_PARTING = marks(".;") + "\n"
TO = frozenset({"→", "->", "–", "=>", "⇒", *forms().change})


def ends(text: str, figures: Sequence[Figure]) -> Iterator[tuple[int, int]]:
    """The indexes of each two figures that a change goes from and to."""
    for at in range(len(figures) - 1):
        between = text[figures[at].end : figures[at + 1].start]
        if len(between) > _APART or any(sign in between for sign in _PARTING):
            continue
        words = between.strip().casefold()
        if any(words == each or words.endswith(_last(each)) for each in TO):
            yield at, at + 1


def _last(word: str) -> str:
    """A word at the end of others; signs and Chinese words need no space before them."""
    return f" {word}" if word.isascii() and word.isalpha() else word


def other_end(
    known: Fact, figure: Figure, scope: FigureScope, deriver: Deriver, facts: FactReader
) -> Match | None:
    """The cell of the same column that the other end is."""
    if known.table < 0 or known.column < 0:
        return None
    cells = _cells(known.ref, figure, scope, deriver, facts)
    return next((each for each in cells if each.fact and each.fact.rows != known.rows), None)


def both_ends(
    pair: tuple[Figure, Figure],
    scopes: tuple[FigureScope, FigureScope],
    columns: Sequence[ColumnRef],
    deriver: Deriver,
    facts: FactReader,
) -> tuple[Match, Match] | None:
    """Two cells of one of the columns that match the ends; none if several columns do."""
    found = [
        (one, other)
        for ref in columns
        for one in _cells(ref, pair[0], scopes[0], deriver, facts)
        for other in _cells(ref, pair[1], scopes[1], deriver, facts)
        if one.fact and other.fact and one.fact.rows != other.fact.rows
    ]
    return found[0] if len({one.columns for one, _ in found}) == 1 else None


def _cells(
    ref: ColumnRef, figure: Figure, scope: FigureScope, deriver: Deriver, facts: FactReader
) -> Iterator[Match]:
    for row in sorted(facts.members[ref.table]):
        cell = facts.cell(ref.table, row, ref.column)
        if cell is not None and (match := deriver.shows(figure, scope, cell)):
            yield match
