"""Proves an answer: every figure, time and claim word, against typed evidence."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from veridical.contracts.language import Language
from veridical.evidence.moment import Moment
from veridical.gate.prover.alignment import misaligned
from veridical.gate.prover.claim import Claim, Stand
from veridical.gate.prover.prepared import Prepared, Reading, prepare, read_text
from veridical.gate.prover.prover import Prover
from veridical.gate.prover.words import claim_words


@dataclass(frozen=True, slots=True)
class Proven:
    """All claims of an answer, in places of its clean text."""

    reading: Reading
    claims: tuple[Claim, ...]

    @property
    def wrong(self) -> tuple[Claim, ...]:
        """What is not proven."""
        return tuple(claim for claim in self.claims if claim.stand is not Stand.PROVEN)


def prove(
    answer: str, evidence: Any, question: str = "", language: Language | None = None
) -> Proven:
    """Every claim of the answer with how it stands; the evidence has any shape, or is prepared."""
    ready = evidence if isinstance(evidence, Prepared) else prepare(evidence)
    reading = read_text(answer, ready, language)
    asked = read_text(question, ready, reading.words.language)
    prover = Prover(ready, reading, asked)
    for at in range(len(reading.passages)):
        prover.prove_passage(at)
    for at, claim in list(misaligned(prover)):
        prover.claims[at] = claim
    claims = [*prover.claims, *_times(prover), *claim_words(prover)]
    return Proven(reading, tuple(sorted(claims, key=lambda claim: claim.start)))


def _times(prover: Prover) -> Iterator[Claim]:
    for found in prover.answer.moments:
        named = any(each.start <= found.start < each.end for each in prover.answer.names)
        stand = Stand.PROVEN if named or _is_known(prover, found.moment) else Stand.UNPROVEN
        yield Claim(found.start, found.end, "time", stand, "time")


def _is_known(prover: Prover, moment: Moment) -> bool:
    """Whether the question, a call or a column's name speaks of that time."""
    asked = [each.moment for each in prover.question.moments]
    if any(moment.covers(each) or each.meets(moment) for each in asked):
        return True
    held = [each for _, each in prover.ready.held_moments]
    return any(moment.meets(each) for each in (*held, *prover.ready.measures.moments.values()))
