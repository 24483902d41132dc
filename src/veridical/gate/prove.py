"""Proves an answer: every figure, time, name and claim word, against typed evidence."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from veridical.contracts.input_budget import keep_time
from veridical.contracts.language import Language
from veridical.evidence.table import EvidenceTable
from veridical.gate.prover.basis import Basis
from veridical.gate.prover.certain import sure
from veridical.gate.prover.claim import Claim, Stand
from veridical.gate.prover.how import How
from veridical.gate.prover.mentions import name_claims, time_claims
from veridical.gate.prover.prepared import Prepared, ReadText, prepare, read_text
from veridical.gate.prover.prover import Prover
from veridical.gate.prover.ranks import misplaced
from veridical.gate.prover.strangers import strangers
from veridical.gate.prover.words import governed_figures, own_words, word_claims
from veridical.gate.text.passage import passage_at
from veridical.reading.language import small_words

_QUOTED = frozenset({"figure", "time", "rank", "proportion", "compare", "word"})


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
) -> Proven:
    """Every claim of the answer with its standing; the evidence has any shape, or is prepared.

    ``earlier`` are the questions before: they complete the current one. Nothing is proven that
    coincidence or another binding may explain, and the rest of the text is listed as unproven.
    """
    ready = evidence if isinstance(evidence, Prepared) else prepare(evidence)
    reading = read_text(answer, ready, language)
    language = reading.words.language
    last_question = read_text(question, ready, language)
    whole = read_text(f"{earlier}\n{question}", ready, language) if earlier else last_question
    prover = Prover(ready, reading, whole, last_question)
    for at in range(len(reading.passages)):
        prover.prove_passage(at)
    claims = sorted(_claims(prover), key=lambda claim: claim.start)
    return Proven(reading, tuple(claims), ready.tables)


def _claims(prover: Prover) -> list[Claim]:
    """The claims: figures with what they show, names, words, and the rest of the text."""
    figures = {at: _checked(prover, claim) for at, claim in prover.claims.items()}
    words = list(_quoted(prover, word_claims(prover, figures)))
    unsettled = {*governed_figures(prover, words)}
    wrong = misplaced(prover, figures)
    for at, claim in figures.items():
        inside = wrong is not None and wrong[0] <= at < wrong[1]
        if claim.stand is Stand.PROVEN and (at in unsettled or inside):
            figures[at] = replace(claim, stand=Stand.UNPROVEN)
    figures = {each.start: each for each in _quoted(prover, figures.values())}
    unknown = strangers(prover)
    times = [
        each
        for each in _quoted(prover, time_claims(prover, figures))
        if not any(name.start <= each.start and each.end <= name.end for name in unknown)
    ]
    found = [*figures.values(), *words, *times]
    found += [*name_claims(prover, figures, found), *unknown]
    return [*found, *own_words(prover, found)]


def _checked(prover: Prover, claim: Claim) -> Claim:
    keep_time()
    return sure(prover, claim)


def _quoted(prover: Prover, claims: Iterable[Claim]) -> Iterator[Claim]:
    """The claims; those that stand in a text of the evidence are proven by it."""
    texts, answer = prover.ready.texts, prover.answer
    small = small_words(answer.words.language)
    for claim in claims:
        at = passage_at(answer.passages, claim.start)
        if texts and claim.stand is Stand.UNPROVEN and claim.kind in _QUOTED and at is not None:
            around = answer.text[slice(*answer.passages[at].span)]
            if texts.has(claim, answer.text, around, small):
                yield replace(claim, stand=Stand.PROVEN, basis=Basis(How.TEXT))
                continue
        yield claim
