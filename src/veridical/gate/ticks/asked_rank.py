"""Ranks that the question asks for: whoever is named in reply must be at that end."""

from typing import TYPE_CHECKING

from veridical.gate.prover.basis import Basis
from veridical.gate.prover.claim import Claim, Stand
from veridical.gate.prover.facts import Fact, Over
from veridical.gate.prover.how import How
from veridical.gate.prover.passage import PassageKind, Span

if TYPE_CHECKING:
    from veridical.gate.prover.prover import Prover

_ENDS = ("rank.high", "rank.low", "rank.either")


def misplaced(prover: "Prover", claims: dict[int, Claim]) -> Span | None:
    """The first passage that names a row with its figure, where the question asks which row is at
    an end and this one is not; none where it is, or where nobody can tell."""
    cues = [cue for cue in prover.asked_last.cues if any(cue.has(end) for end in _ENDS)]
    if len(cues) != 1 or any(not each.is_key for each in prover.asked_last.names):
        return None
    for passage in prover.answer.passages:
        if passage.kind is PassageKind.HEADING:
            continue
        names = prover.answer.within(prover.answer.names, passage.start, passage.end)
        if not any(each.is_key for each in names):
            continue
        claim = next((c for at, c in claims.items() if passage.start <= at < passage.end), None)
        if passage.kind is not PassageKind.SENTENCE or claim is None or claim.basis is None:
            return None
        if claim.stand is not Stand.PROVEN or _is_at_an_end(prover, claim.basis):
            return None
        return passage.start, passage.end
    return None


def _is_at_an_end(prover: "Prover", basis: Basis) -> bool:
    """Whether no row has more, or none less, by the same columns."""
    sides = basis.facts
    rows = {fact.rows for fact in sides}
    known = basis.how in (How.ITSELF, How.RATIO, How.DIFFERENCE) and len(rows) == 1
    if not known or any(fact.over is not Over.CELL or fact.table < 0 for fact in sides):
        return True
    values = [
        value
        for row in prover.ready.facts.members[sides[0].table]
        if (value := _of_row(prover, basis, row)) is not None
    ]
    (row,) = next(iter(rows))
    mine = _of_row(prover, basis, row)
    return mine is None or mine in (max(values), min(values))


def _of_row(prover: "Prover", basis: Basis, row: int) -> float | None:
    cells: list[Fact] = []
    for fact in basis.facts:
        cell = prover.ready.facts.cell(fact.table, row, fact.column)
        if cell is None:
            return None
        cells.append(cell)
    if len(cells) == 1:
        return cells[0].value
    one, other = cells[0].value, cells[1].value
    if basis.how is How.DIFFERENCE:
        return one - other
    return one / other if other else None
