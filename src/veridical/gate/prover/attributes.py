"""Attributes: a value beside a row's name must be a value of that row."""

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from veridical.evidence.column import CellKind
from veridical.gate.prover.basis import Basis
from veridical.gate.prover.claim import Claim, Stand
from veridical.gate.prover.how import How
from veridical.gate.prover.measures import ColumnRef
from veridical.gate.prover.names import NameMention
from veridical.gate.prover.passage import Passage, PassageKind
from veridical.reading.punctuation import marks

if TYPE_CHECKING:
    from veridical.gate.prover.prover import Prover

_TIMES = (CellKind.DAY, CellKind.MOMENT, CellKind.PERIOD)

_NEGATED = 15


def attribute_claims(prover: "Prover", passage: Passage) -> Iterator[Claim]:
    """Each value beside the only row that a passage names."""
    if passage.kind is PassageKind.HEADING:
        return
    names = prover.answer.within(prover.answer.names, passage.start, passage.end)
    whole = [each for each in names if each.whole]
    for table in {each.table for each in whole}:
        mine = [each for each in whole if each.table == table]
        typed = prover.ready.tables[table].columns
        key = _only_key(mine)
        if key is None or typed[key.column].kind in _TIMES or not typed[key.column].is_key:
            continue
        for each in mine:
            if each.column == key.column or each.start == key.start:
                continue
            if passage.kind is PassageKind.SENTENCE and typed[each.column].kind in _TIMES:
                continue
            if passage.kind is PassageKind.SENTENCE and each.start < key.start:
                continue
            if _elsewhere(mine, each, key) or not _is_exact(prover, each):
                continue
            near = prover.answer.within(prover.answer.cues, each.start - _NEGATED, each.start)
            if any(cue.has("negation") for cue in near):
                continue
            stand = Stand.PROVEN if each.rows & key.rows else Stand.CONTRADICTED
            basis = Basis(How.NAME, (), table, key.rows, (ColumnRef(table, each.column),))
            yield Claim(each.start, each.end, "attribute", stand, "value of another row", basis)


def paired_claims(prover: "Prover", passage: Passage) -> Iterator[Claim]:
    """Each value in brackets right behind a row's name: it must be that row's."""
    names = prover.answer.within(prover.answer.names, passage.start, passage.end)
    for one, other in pairwise(names):
        between = prover.answer.text[one.end : other.start].strip()
        if one.table != other.table or one.column == other.column or between not in _OPENING:
            continue
        if not one.is_key or not one.whole or not other.whole:
            continue
        same = [each for each in names if each.start == other.start and each.table == one.table]
        if not any(each.rows & one.rows for each in same):
            yield Claim(other.start, other.end, "attribute", Stand.CONTRADICTED, "of another row")


_OPENING = frozenset({*marks("(:"), "– ", "—", ","})


def _only_key(mentions: list[NameMention]) -> NameMention | None:
    """The one row that is named, by the first column that names rows alone."""
    keys = [each for each in mentions if each.is_key]
    if not keys:
        return None
    first = keys[0]
    rows = {each.rows for each in keys if each.column == first.column}
    return first if len(rows) == 1 else None


def _is_exact(prover: "Prover", mention: NameMention) -> bool:
    """True if the value is written as the evidence has it, not only by its stem."""
    if mention.column < 0:
        return False
    wording = prover.answer.text[mention.start : mention.end].casefold()
    cells = prover.ready.tables[mention.table].rows
    return any(str(cells[row][mention.column]).casefold() == wording for row in mention.rows)


def _elsewhere(mine: list[NameMention], each: NameMention, key: NameMention) -> bool:
    """True if the same words may also mean a value of the row."""
    return any(
        other.start == each.start and (other.rows & key.rows or other.column == key.column)
        for other in mine
        if other is not each
    )
