"""Coincidence: whether similar figures would have been proven as well."""

from dataclasses import replace
from typing import TYPE_CHECKING

from veridical.gate.prover.basis import Basis
from veridical.gate.prover.claim import Claim, Stand
from veridical.gate.prover.figures import Figure
from veridical.gate.prover.how import How
from veridical.gate.prover.passage import Passage, passage_at

if TYPE_CHECKING:
    from veridical.gate.prover.prover import Prover

_STEPS = (1, -2, 3, -5, 7, -11, 13, -17)
_PARTS = 100
_PAIR = 2
_MOST = {How.ITSELF: 0.2, How.RATIO: 0.2, How.CHANGE: 0.2}
_MOST_ELSE = 0.5
"""The share of other figures that may be found: counts are small, and so near one another."""


def is_by_chance(prover: "Prover", claim: Claim) -> bool:
    """True if too many other figures of its size and precision would be proven in its place."""
    if claim.basis is None or claim.basis.how is How.FORMULA:
        return False
    figure = prover.answer.figure_at(claim.start)
    at = passage_at(prover.answer.passages, claim.start)
    if figure is None or at is None:
        return False
    passage = prover.answer.passages[at]
    if _is_shown(prover, claim.basis, passage) or _is_repeated(prover, claim, passage):
        return False
    how = claim.basis.how
    others = _like(figure)
    if not others:
        return False
    room = _MOST.get(how, _MOST_ELSE) * len(others)
    found = 0
    left = len(others)
    for is_found in prover.finds(others, at, derived=how is not How.ITSELF):
        found, left = found + is_found, left - 1
        if found + left <= room:
            return False
    return found > room


def _is_shown(prover: "Prover", basis: Basis, passage: Passage) -> bool:
    """True if the passage shows both figures that it is made of: 94 of 151 (62 %)."""
    if len(basis.facts) != _PAIR:
        return False
    here = prover.facts_in(passage)
    return all(fact in here for fact in basis.facts)


def _is_repeated(prover: "Prover", claim: Claim, passage: Passage) -> bool:
    """True if another figure of the same paragraph, list or table comes from the same columns in
    the same way, of other rows: that hardly happens twice."""
    mine = claim.basis
    if mine is None or len(mine.facts) < _PAIR:
        return False
    block = [each for each in prover.answer.passages if each.block == passage.block]
    return any(
        each.start != claim.start
        and each.stand is Stand.PROVEN
        and each.basis is not None
        and each.basis.how is mine.how
        and _columns(prover, each.basis) == _columns(prover, mine)
        and each.basis.facts != mine.facts
        for each in prover.claims
        if block[0].start <= each.start < block[-1].end
    )


def _columns(prover: "Prover", basis: Basis) -> list[str]:
    return [
        prover.ready.facts.column(fact.ref).name if fact.table >= 0 and fact.column >= 0 else ""
        for fact in basis.facts
    ]


def _like(figure: Figure) -> list[Figure]:
    """Figures with as many digits, a little more or less."""
    reading = figure.readings[0]
    unit = 2 * reading.half_step or 1.0
    step = unit * max(1, round(abs(reading.value) / unit / _PARTS))
    values = [reading.value + each * step for each in _STEPS]
    kept = [each for each in values if (each > 0) == (reading.value > 0) and each]
    return [replace(figure, readings=(reading._replace(value=each),)) for each in kept]
