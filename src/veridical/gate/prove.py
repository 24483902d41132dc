"""Proves an answer: every figure, time and claim word, against typed evidence."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from veridical.contracts.language import Language
from veridical.evidence.moment import FoundMoment, Moment
from veridical.evidence.table import Table
from veridical.gate.prover.alignment import misaligned
from veridical.gate.prover.basis import Basis
from veridical.gate.prover.claim import Claim, Stand
from veridical.gate.prover.formulas import with_formulas
from veridical.gate.prover.how import How
from veridical.gate.prover.measures import ColumnRef
from veridical.gate.prover.names import NameMention
from veridical.gate.prover.prepared import Prepared, Reading, prepare, read_text
from veridical.gate.prover.prover import Prover
from veridical.gate.prover.quoted import quoted
from veridical.gate.prover.words import claim_words
from veridical.gate.ticks.ticked import ticked


@dataclass(frozen=True, slots=True)
class Proven:
    """All claims of an answer, in places of its clean text."""

    reading: Reading
    claims: tuple[Claim, ...]
    tables: tuple[Table, ...] = ()
    """What their expressions are over."""

    @property
    def wrong(self) -> tuple[Claim, ...]:
        """What is not proven."""
        return tuple(claim for claim in self.claims if claim.stand is not Stand.PROVEN)


def prove(
    answer: str,
    evidence: Any,
    question: str = "",
    language: Language | None = None,
    earlier: str = "",
    *,
    only_certain: bool = False,
) -> Proven:
    """Every claim of the answer with how it stands; the evidence has any shape, or is prepared.

    ``earlier`` is what was asked before: it completes what the question leaves out. With
    ``only_certain`` nothing is proven that coincidence or another binding may explain, and what the
    text says beyond its claims is listed as unproven.
    """
    ready = evidence if isinstance(evidence, Prepared) else prepare(evidence)
    reading = read_text(answer, ready, language)
    spoken = reading.words.language
    asked = read_text(question, ready, spoken)
    whole = read_text(f"{earlier}\n{question}", ready, spoken) if earlier else asked
    prover = Prover(ready, reading, whole, asked)
    for at in range(len(reading.passages)):
        prover.prove_passage(at)
    for at, claim in [*with_formulas(prover), *misaligned(prover)]:
        prover.claims[at] = claim
    found = [*prover.claims, *_times(prover), *claim_words(prover)]
    claims = quoted(prover, found)
    if only_certain:
        claims = ticked(prover, claims)
    return Proven(reading, tuple(sorted(claims, key=lambda claim: claim.start)), ready.tables)


def _times(prover: Prover) -> Iterator[Claim]:
    for found in prover.answer.moments:
        names = prover.answer.names
        named = next((each for each in names if each.start <= found.start < each.end), None)
        known = named or _is_known(prover, found.moment) or _is_missing(prover, found)
        stand = Stand.PROVEN if known else Stand.UNPROVEN
        asked = known and _is_asked(prover, found.moment)
        basis = _of_rows(named) if named else Basis(How.QUESTION) if asked else None
        yield Claim(found.start, found.end, "time", stand, "time", basis)


def _of_rows(named: NameMention) -> Basis:
    columns = (ColumnRef(named.table, named.column),) if named.column >= 0 else ()
    return Basis(How.NAME, (), named.table, named.rows, columns)


def _is_missing(prover: Prover, found: FoundMoment) -> bool:
    """Whether the text says of a time that there is nothing about it."""
    passage = next(
        (each for each in prover.answer.passages if each.start <= found.start < each.end), None
    )
    if passage is None:
        return False
    cues = prover.answer.within(prover.answer.cues, passage.start, passage.end)
    return any(cue.has("missing") for cue in cues)


def _is_known(prover: Prover, moment: Moment) -> bool:
    """Whether the question, a call or a column's name speaks of that time."""
    if _is_asked(prover, moment):
        return True
    held = [each for _, each in prover.ready.held_moments]
    return any(moment.meets(each) for each in (*held, *prover.ready.measures.moments.values()))


def _is_asked(prover: Prover, moment: Moment) -> bool:
    asked = (each.moment for each in prover.question.moments)
    return any(moment.covers(each) or each.meets(moment) for each in asked)
