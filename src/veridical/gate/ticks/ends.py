"""Whether a row is first or last of all rows, by the expression that proves its figure."""

from typing import TYPE_CHECKING

from veridical.gate.prover.basis import Basis
from veridical.gate.prover.facts import Over
from veridical.gate.prover.how import How

if TYPE_CHECKING:
    from veridical.gate.prover.prover import Prover

HIGH, LOW = "rank.high", "rank.low"
_OF_ONE_ROW = (Over.CELL, Over.MIN, Over.MAX)


def ends_of(prover: "Prover", basis: Basis) -> frozenset[str] | None:
    """``rank.high``, ``rank.low``, both or neither; none if the figure has several rows."""
    facts = basis.facts
    rows = {fact.rows for fact in facts}
    known = len(rows) == 1 and (basis.how in (How.ITSELF, How.RATIO, How.DIFFERENCE, How.CHANGE))
    if not known or any(x.over not in _OF_ONE_ROW or x.table < 0 for x in facts):
        return None
    if len({fact.table for fact in facts}) > 1 or len(next(iter(rows))) != 1:
        return None
    (row,) = next(iter(rows))
    members = prover.ready.facts.members[facts[0].table]
    values = {each: _of_row(prover, basis, each) for each in members}
    mine = values.get(row)
    filled = [each for each in values.values() if each is not None]
    if mine is None:
        return None
    found = {HIGH} if mine == max(filled) else set[str]()
    return frozenset(found | ({LOW} if mine == min(filled) else set[str]()))


def _of_row(prover: "Prover", basis: Basis, row: int) -> float | None:
    """The value of the expression in another row; none where a cell is empty."""
    cells: list[float] = []
    for fact in basis.facts:
        cell = prover.ready.facts.cell(fact.table, row, fact.column)
        if cell is None:
            return None
        cells.append(cell.value)
    if len(cells) == 1:
        return cells[0]
    one, other = cells
    if basis.how is How.DIFFERENCE:
        return one - other
    return one / other if other else None
