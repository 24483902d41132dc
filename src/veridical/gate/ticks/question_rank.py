"""Ranks that the question asks for: the row named in the answer must be at that end."""

from typing import TYPE_CHECKING

from veridical.gate.prover.claim import Claim, Stand
from veridical.gate.prover.passage import PassageKind, Span
from veridical.gate.ticks.ends import ends_of

if TYPE_CHECKING:
    from veridical.gate.prover.prover import Prover

_ENDS = ("rank.high", "rank.low", "rank.either")


def misplaced(prover: "Prover", claims: dict[int, Claim]) -> Span | None:
    """The first passage that names a row with its figure, where the question asks which row is at
    an end and this one is not; none where it is, or where that is unknown."""
    cues = [cue for cue in prover.last_question.cues if any(cue.has(end) for end in _ENDS)]
    if len(cues) != 1 or any(not each.is_key for each in prover.last_question.names):
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
        ends = ends_of(prover, claim.basis) if claim.stand is Stand.PROVEN else None
        return (passage.start, passage.end) if ends is not None and not ends else None
    return None
