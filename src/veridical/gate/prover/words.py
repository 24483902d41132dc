"""Claims by words: ranks, directions, proportions, causes."""

from collections.abc import Iterator
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
)
from veridical.gate.prover.lists import list_claims
from veridical.gate.prover.passage import Passage
from veridical.gate.prover.proportions import proportion_claims
from veridical.gate.prover.ranks import rank_claims
from veridical.gate.prover.subjects import subject_claims

if TYPE_CHECKING:
    from veridical.gate.prover.prover import Prover


def claim_words(prover: "Prover") -> Iterator[Claim]:
    """Claims that words make, passage by passage."""
    for at, passage in enumerate(prover.answer.passages):
        keep_time(now=True)
        cues = prover.answer.within(prover.answer.cues, passage.start, passage.end)
        yield from rank_claims(prover, at, passage, cues)
        yield from direction_claims(prover, at, passage, cues)
        yield from order_claims(prover, passage)
        yield from delta_claims(prover, passage, cues)
        yield from compare_claims(prover, passage, cues)
        yield from proportion_claims(prover, at, passage, cues)
        yield from _causes(prover, passage, cues)
        yield from attribute_claims(prover, passage)
        yield from paired_claims(prover, passage)
    yield from list_claims(prover)
    yield from subject_claims(prover)


def _causes(prover: "Prover", passage: Passage, cues: list[Cue]) -> Iterator[Claim]:
    """A cause that nothing in the evidence speaks of."""
    said = [cue for cue in cues if cue.has("cause") and not cue.has("cause.hedges")]
    if not said or any(cue.has("cause.hedges") or cue.has("negation") for cue in cues):
        return
    start = said[0].start
    mentions = [
        *prover.answer.within(prover.answer.names, start, passage.end),
        *prover.answer.within(prover.answer.measures, start, passage.end),
    ]
    stand = Stand.PROVEN if mentions else Stand.UNPROVEN
    yield Claim(said[0].start, said[0].end, "cause", stand, "cause")
