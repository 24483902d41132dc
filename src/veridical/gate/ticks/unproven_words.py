"""Unproven parts of a text: words that claim something, and sentences without claims."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from veridical.contracts.input_budget import keep_time
from veridical.gate.languages.vocabulary import Cue
from veridical.gate.prover.basis import Basis
from veridical.gate.prover.claim import Claim, Stand
from veridical.gate.prover.how import How
from veridical.gate.prover.passage import Passage, PassageKind, Span, passage_at
from veridical.late_pattern import late_pattern
from veridical.ontology.terms import HAN
from veridical.reading.punctuation import LIST_MARKS, marks

if TYPE_CHECKING:
    from veridical.gate.prover.prover import Prover

OWN_WORDS = "sentence"
"""The kind of a sentence without anything that could be looked up."""
OPEN_WORD = "word"
"""The kind of a word whose claim no binding shows."""
_CLAIMING = ("rank", "direction", "proportion", "quantity.all", "quantity.none", "quantity.only",
             "quantity.most")  # fmt: skip
_GOVERNING = frozenset({"rank", "direction", "order"})
_REACH = 60
_ENDS = marks(";.") + LIST_MARKS
_CLAUSE = late_pattern(rf"[^{re.escape(marks(',;:()') + '–—')}]+")
_WORD = late_pattern(rf"[^\W\d_{HAN}]+|[{HAN}]")
_FEWEST_WORDS = 4
_ASKING = marks("?")


def open_words(prover: "Prover", claims: Sequence[Claim]) -> list[Claim]:
    """Words that claim a rank, a direction, a part or a number of all, and that are not proven."""
    return [
        Claim(cue.start, cue.end, OPEN_WORD, Stand.UNPROVEN, "no binding shows it")
        for passage in prover.answer.passages
        if passage.kind is not PassageKind.HEADING
        for cue in prover.answer.within(prover.answer.cues, passage.start, passage.end)
        if any(cue.has(kind) for kind in _CLAIMING)
        and not _is_taken(prover, cue)
        and not any(each.start < cue.end and cue.start < each.end for each in claims)
    ]


def _is_taken(prover: "Prover", cue: Cue) -> bool:
    """True if the word belongs to a name or to a column."""
    keep_time()
    spans = (*prover.answer.names, *(each for each in prover.answer.measures if each.own))
    return any(each.start < cue.end and cue.start < each.end for each in spans)


def governed_figures(prover: "Prover", claims: Sequence[Claim]) -> frozenset[int]:
    """The places of the figures that belong to unproven ranks and directions."""
    found: set[int] = set()
    for claim in claims:
        if claim.kind in _GOVERNING and claim.stand is not Stand.PROVEN:
            found.update(_governed_by(prover, claim))
    return frozenset(found)


def _governed_by(prover: "Prover", claim: Claim) -> Iterator[int]:
    at = passage_at(prover.answer.passages, claim.start)
    if at is None:
        return
    passage, text = prover.answer.passages[at], prover.answer.text
    for figure in prover.answer.within(prover.answer.figures, passage.start, passage.end):
        start, end = min(claim.end, figure.end), max(claim.start, figure.start)
        if end - start <= _REACH and not any(sign in text[start:end] for sign in _ENDS):
            yield figure.start
            if figure.start >= claim.end:
                return


def own_words(prover: "Prover", claims: Sequence[Claim]) -> Iterator[Claim]:
    """Sentences and clauses without anything that could be proven: the writer's own words."""
    starts = sorted(each.start for each in claims)
    for passage in prover.answer.passages:
        if passage.kind is PassageKind.HEADING or _is_asking(prover, passage):
            continue
        span = passage.start, passage.end
        if bisect_left(starts, span[0]) == bisect_left(starts, span[1]):
            yield _own(prover, *span)
        elif passage.kind is not PassageKind.ROW:
            yield from (_own(prover, *each) for each in _clauses(prover, span, claims))


def _clauses(prover: "Prover", span: Span, claims: Sequence[Claim]) -> Iterator[Span]:
    """The clauses that mention nothing of the evidence."""
    answer = prover.answer
    known = (*claims, *answer.names, *answer.measures)
    for match in _CLAUSE.finditer(answer.text, *span):
        keep_time()
        size = len(_WORD.findall(match[0]))
        start, end = match.span()
        if size >= _FEWEST_WORDS and not any(x.start < end and start < x.end for x in known):
            yield start, end


def _own(prover: "Prover", start: int, end: int) -> Claim:
    words = prover.answer.text[start:end]
    begin, end = start + len(words) - len(words.lstrip()), start + len(words.rstrip())
    if prover.ready.texts.has_whole(words):
        return Claim(begin, end, OWN_WORDS, Stand.PROVEN, How.TEXT, Basis(How.TEXT))
    return Claim(begin, end, OWN_WORDS, Stand.UNPROVEN, "own words")


def _is_asking(prover: "Prover", passage: Passage) -> bool:
    return prover.answer.text[passage.start : passage.end].rstrip()[-1:] in _ASKING
