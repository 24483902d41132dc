"""Claims of words: whether what proved them is what the words stand beside."""

from itertools import permutations
from typing import TYPE_CHECKING

from veridical.gate.languages.vocabulary import Cue
from veridical.gate.prover.claim import Claim
from veridical.gate.prover.facts import Over
from veridical.gate.prover.passage import Passage, passage_at
from veridical.gate.prover.proportions import part_of

if TYPE_CHECKING:
    from veridical.gate.prover.prover import Prover

_OF_ONE_ROW = (Over.CELL, Over.MIN, Over.MAX)
_REACH = 40
_BEFORE = 14
_NEAR, _FAR = 0.07, 0.25


def is_word_shown(prover: "Prover", claim: Claim) -> bool:
    """Whether a rank is by the column of the figure beside it, and a proportion one of figures
    that its passage shows."""
    at = passage_at(prover.answer.passages, claim.start)
    if at is None:
        return True
    passage = prover.answer.passages[at]
    if claim.kind == "rank":
        return _is_by_its_figure(prover, claim, passage)
    if claim.kind == "proportion":
        return _is_of_its_figures(prover, claim, passage)
    return True


def _is_by_its_figure(prover: "Prover", claim: Claim, passage: Passage) -> bool:
    """Whether the row is at that end by the column of the figure beside, of all rows or of those
    that are spoken of; which end is best nobody knows."""
    cue = _cue(prover, claim)
    if cue is None or cue.has("rank.either") or claim.basis is None:
        return False
    figures = prover.answer.within(prover.answer.figures, passage.start, passage.end)
    near = [each for each in figures if abs(each.start - claim.end) <= _REACH]
    near.sort(key=lambda each: (each.start < claim.end, abs(each.start - claim.end)))
    match = next(iter(prover.matches.get(near[0].start, [])), None) if near else None
    if match is None:
        return bool(claim.basis.columns)
    if match.fact is None or match.fact.over not in _OF_ONE_ROW:
        return bool(match.columns & {*claim.basis.columns})
    fact, facts = match.fact, prover.ready.facts
    cells = [
        cell.value
        for row in facts.members[fact.table]
        if (cell := facts.cell(fact.table, row, fact.column))
    ]
    return fact.value == (max(cells) if cue.has("rank.high") else min(cells))


def _cue(prover: "Prover", claim: Claim) -> Cue | None:
    return next((each for each in prover.answer.cues if each.start == claim.start), None)


def _is_of_its_figures(prover: "Prover", claim: Claim, passage: Passage) -> bool:
    """Whether a share beside it, or two figures of its passage, come to that part."""
    cue = _cue(prover, claim)
    figure = part_of(cue) if cue else None
    if cue is None or figure is None:
        return False
    reading = figure.readings[0]
    wanted = reading.value / 100 if figure.dimension is not None else reading.value
    low, high = _room(prover, cue, wanted)
    facts = [
        fact
        for start, fact in prover.facts.items()
        if fact is not None and passage.start <= start < passage.end
    ]
    parts = (
        [fact.value for fact in facts if fact.dimension == figure.dimension]
        if (figure.dimension is not None)
        else []
    )
    parts += [one.value / other.value for one, other in permutations(facts, 2) if other.value]
    return any(low <= abs(part) <= high for part in parts)


def _room(prover: "Prover", cue: Cue, wanted: float) -> tuple[float, float]:
    """How far a part may be off: more than half is not below half."""
    before = prover.answer.within(prover.answer.cues, cue.start - _BEFORE, cue.start)
    if any(each.has("compare.more") for each in before):
        return wanted, wanted * (1 + _FAR)
    if any(each.has("compare.less") for each in before):
        return wanted * (1 - _FAR), wanted
    return wanted * (1 - _NEAR), wanted * (1 + _NEAR)
