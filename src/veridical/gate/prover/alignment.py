"""Columns of a shown table and of parallel list items: each is one thing all the way down."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from veridical.gate.prover.claim import Claim, Stand
from veridical.gate.prover.figures import Figure
from veridical.gate.prover.measures import ColumnRef
from veridical.gate.prover.passage import Passage, PassageKind, listed_blocks

if TYPE_CHECKING:
    from veridical.gate.prover.prover import Prover

_LEAST_ROWS = 3
_MOST = 0.6
Columns = frozenset[ColumnRef]


def misaligned(prover: "Prover") -> Iterator[tuple[int, Claim]]:
    """Figures that are proven by another column than the others of their column."""
    by_place = {claim.start: n for n, claim in enumerate(prover.claims)}
    for column in _columns(prover):
        kinds = Counter(kind for figure in column for kind in _kinds(prover, figure))
        if not kinds:
            continue
        common, count = kinds.most_common(1)[0]
        if count < max(_LEAST_ROWS, _MOST * len(column)):
            continue
        for figure in column:
            at = by_place.get(figure.start)
            if at is None or common in _kinds(prover, figure):
                continue
            claim = prover.claims[at]
            if claim.stand is Stand.PROVEN:
                yield at, replace(claim, stand=Stand.UNPROVEN, reason="another column")


def _kinds(prover: "Prover", figure: Figure) -> set[Columns]:
    return {_named(prover, match.columns) for match in prover.matches.get(figure.start, [])}


def _named(prover: "Prover", columns: Columns) -> Columns:
    """Columns of the same name in several tables count as one."""
    facts = prover.ready.facts
    return frozenset(
        facts.first_of_name[facts.column(ref).name] if ref.table >= 0 else ref for ref in columns
    )


def _columns(prover: "Prover") -> Iterator[list[Figure]]:
    for passages in listed_blocks(prover.answer.passages):
        if len(passages) < _LEAST_ROWS:
            continue
        if passages[0].kind is PassageKind.ROW:
            yield from _cells(prover, passages)
        else:
            yield from _items(prover, passages)


def _cells(prover: "Prover", passages: list[Passage]) -> Iterator[list[Figure]]:
    for at in range(max(len(each.cells) for each in passages)):
        rows = [
            prover.answer.within(prover.answer.figures, *each.cells[at])
            for each in passages
            if at < len(each.cells)
        ]
        for place in range(max(map(len, rows), default=0)):
            yield [row[place] for row in rows if place < len(row)]


def _items(prover: "Prover", passages: list[Passage]) -> Iterator[list[Figure]]:
    rows = [prover.answer.within(prover.answer.figures, each.start, each.end) for each in passages]
    lengths = Counter(map(len, rows))
    common = lengths.most_common(1)[0][0]
    same = [row for row in rows if len(row) == common]
    if len(same) >= _LEAST_ROWS:
        for place in range(common):
            yield [row[place] for row in same]
