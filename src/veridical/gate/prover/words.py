"""Claims by words: ranks, directions, proportions, causes."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from veridical.contracts.input_budget import keep_time
from veridical.gate.languages.vocabulary import Cue
from veridical.gate.prover.attributes import attribute_claims, paired_claims
from veridical.gate.prover.claim import Claim, Stand
from veridical.gate.prover.directions import (
    compare_claims,
    delta_claims,
    direction_claims,
    order_claims,
    sign_claims,
)
from veridical.gate.prover.lists import list_claims
from veridical.gate.prover.passage import Passage
from veridical.gate.prover.proportions import proportion_claims
from veridical.gate.prover.ranks import rank_claims
from veridical.gate.prover.subjects import subject_claims
from veridical.reading.punctuation import LIST_MARKS, marks

if TYPE_CHECKING:
    from veridical.gate.prover.prover import Prover


def claim_words(prover: "Prover") -> Iterator[Claim]:
    """Claims that words make, passage by passage."""
    for at, passage in enumerate(prover.answer.passages):
        keep_time(now=True)
        cues = prover.answer.within(prover.answer.cues, passage.start, passage.end)
        yield from _denied(prover, cues, rank_claims(prover, at, passage, cues))
        yield from direction_claims(prover, at, passage, cues)
        yield from sign_claims(prover, at, passage)
        yield from order_claims(prover, passage)
        yield from delta_claims(prover, passage, cues)
        yield from _denied(prover, cues, compare_claims(prover, passage, cues))
        yield from proportion_claims(prover, at, passage, cues)
        yield from _causes(prover, passage, cues)
        yield from attribute_claims(prover, passage)
        yield from paired_claims(prover, passage)
    yield from list_claims(prover)
    yield from subject_claims(prover)


def _denied(prover: "Prover", cues: list[Cue], claims: Iterator[Claim]) -> Iterator[Claim]:
    """The claims, turned around where they are denied: denying a true claim is wrong."""
    denials = [cue for cue in cues if cue.has("negation")]
    for claim in claims:
        denied = any(_goes_with(prover.answer.text, cue, claim) for cue in denials)
        turned = _TURNED.get(claim.stand) if denied else None
        yield replace(claim, stand=turned) if turned is not None else claim


_TURNED = {Stand.PROVEN: Stand.CONTRADICTED, Stand.CONTRADICTED: Stand.PROVEN}
_DENIAL_REACH = 16
_PARTING = marks(",;.:") + LIST_MARKS


def _goes_with(text: str, denial: Cue, claim: Claim) -> bool:
    """True if a denial stands beside the word of a claim, in the same clause."""
    start, end = min(denial.end, claim.end), max(denial.start, claim.start)
    between = text[start:end]
    return len(between) <= _DENIAL_REACH and not any(sign in between for sign in _PARTING)


def _causes(prover: "Prover", passage: Passage, cues: list[Cue]) -> Iterator[Claim]:
    """A stated cause, unproven if it mentions nothing of the evidence."""
    causes = [cue for cue in cues if cue.has("cause") and not cue.has("cause.hedges")]
    if not causes or any(cue.has("cause.hedges") or cue.has("negation") for cue in cues):
        return
    start = causes[0].start
    mentions = [
        *prover.answer.within(prover.answer.names, start, passage.end),
        *prover.answer.within(prover.answer.measures, start, passage.end),
    ]
    stand = Stand.PROVEN if mentions else Stand.UNPROVEN
    yield Claim(causes[0].start, causes[0].end, "cause", stand, "cause")
