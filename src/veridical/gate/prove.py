"""Proves an answer: every figure, time and claim word, against typed evidence."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from veridical.contracts.language import Language
from veridical.evidence.moment import FoundMoment, Moment
from veridical.evidence.table import EvidenceTable
from veridical.gate.prover.alignment import misaligned
from veridical.gate.prover.basis import Basis
from veridical.gate.prover.claim import Claim, Stand
from veridical.gate.prover.formulas import with_formulas
from veridical.gate.prover.how import How
from veridical.gate.prover.measures import ColumnRef
from veridical.gate.prover.names import NameMention
from veridical.gate.prover.prepared import Prepared, ReadText, prepare, read_text
from veridical.gate.prover.prover import Prover
from veridical.gate.prover.quoted import quoted
from veridical.gate.prover.words import claim_words
from veridical.gate.ticks.ticked import ticked


@dataclass(frozen=True, slots=True)
class Proven:
    """All claims of an answer, in places of its clean text."""

    reading: ReadText
    claims: tuple[Claim, ...]
    tables: tuple[EvidenceTable, ...] = ()
    """The tables of their expressions."""

    @property
    def wrong(self) -> tuple[Claim, ...]:
        """The claims that are not proven."""
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
    """Every claim of the answer with its standing; the evidence has any shape, or is prepared.

    ``earlier`` are the questions before: they complete the current one. With ``only_certain``
    nothing is proven that coincidence or another binding may explain, and the rest of the text is
    listed as unproven.
    """
    ready = evidence if isinstance(evidence, Prepared) else prepare(evidence)
    reading = read_text(answer, ready, language)
    language = reading.words.language
    last_question = read_text(question, ready, language)
    whole = read_text(f"{earlier}\n{question}", ready, language) if earlier else last_question
    prover = Prover(ready, reading, whole, last_question)
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
        in_question = known and _is_in_question(prover, found.moment)
        basis = _of_rows(named) if named else Basis(How.QUESTION) if in_question else None
        yield Claim(found.start, found.end, "time", stand, "time", basis)


def _of_rows(named: NameMention) -> Basis:
    columns = (ColumnRef(named.table, named.column),) if named.column >= 0 else ()
    return Basis(How.NAME, (), named.table, named.rows, columns)


def _is_missing(prover: Prover, found: FoundMoment) -> bool:
    """True if the text says that there is no data for a time."""
    passage = next(
        (each for each in prover.answer.passages if each.start <= found.start < each.end), None
    )
    if passage is None:
        return False
    cues = prover.answer.within(prover.answer.cues, passage.start, passage.end)
    return any(cue.has("missing") for cue in cues)


def _is_known(prover: Prover, moment: Moment) -> bool:
    """True if the question, a call or a column's name mentions that time."""
    if _is_in_question(prover, moment):
        return True
    of_calls = [each for _, each in prover.ready.call_moments]
    return any(moment.meets(each) for each in (*of_calls, *prover.ready.measures.moments.values()))


def _is_in_question(prover: Prover, moment: Moment) -> bool:
    moments = (each.moment for each in prover.question.moments)
    return any(moment.covers(each) or each.meets(moment) for each in moments)
