"""Claims of words: whether they are proven by the figures beside them."""

from itertools import permutations
from typing import TYPE_CHECKING

from veridical.gate.languages.vocabulary import Cue
from veridical.gate.prover.claim import Claim, Stand
from veridical.gate.prover.passage import Passage, passage_at
from veridical.gate.prover.proportions import part_of
from veridical.gate.ticks.ends import ends_of

if TYPE_CHECKING:
    from veridical.gate.prover.prover import Prover

_REACH = 40
_BEFORE = 14
_NEAR, _FAR = 0.07, 0.25


def is_word_shown(prover: "Prover", claim: Claim) -> bool:
    """True if a rank is by the column of the figure beside it, and a proportion is one of figures
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
    """True if the row is at that end by the figure beside it; which end is best is unknown."""
    cue = _cue(prover, claim)
    if cue is None or cue.has("rank.either") or claim.basis is None:
        return False
    figure = _figure_beside(prover, claim, passage)
    if figure is None:
        return bool(claim.basis.columns)
    basis = figure.basis
    if figure.stand is not Stand.PROVEN or basis is None:
        return False
    if not basis.facts:
        return bool(claim.basis.columns)  # a count of rows
    ends = ends_of(prover, basis)
    if ends is None:
        return bool({fact.ref for fact in basis.facts} & {*claim.basis.columns})
    return any(cue.has(end) for end in ends)


def _figure_beside(prover: "Prover", claim: Claim, passage: Passage) -> Claim | None:
    """The figure that a rank belongs to: the next one, else the last."""
    here = [each for each in prover.claims if passage.start <= each.start < passage.end]
    near = [each for each in here if abs(each.start - claim.end) <= _REACH]
    near.sort(key=lambda each: (each.start < claim.end, abs(each.start - claim.end)))
    return near[0] if near else None


def _cue(prover: "Prover", claim: Claim) -> Cue | None:
    return next((each for each in prover.answer.cues if each.start == claim.start), None)


def _is_of_its_figures(prover: "Prover", claim: Claim, passage: Passage) -> bool:
    """True if a share beside it, or two figures of its passage, come to that part."""
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
