"""What a text says beyond what is proven: words that claim something, sentences of its own."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from veridical.gate.languages.vocabulary import Cue
from veridical.gate.prover.claim import Claim, Stand
from veridical.gate.prover.passage import Passage, PassageKind, passage_at
from veridical.reading.punctuation import LIST_MARKS, marks

if TYPE_CHECKING:
    from veridical.gate.prover.prover import Prover

_CLAIMING = ("rank", "direction", "proportion", "quantity.all", "quantity.none", "quantity.only",
             "quantity.most")  # fmt: skip
_GOVERNING = frozenset({"rank", "direction", "order"})
_REACH = 60
_ENDS = marks(";.") + LIST_MARKS
_ASKING = marks("?")


def open_words(prover: "Prover", claims: Sequence[Claim]) -> list[Claim]:
    """Words that claim a rank, a direction, a part or a number of all, and that nothing settles."""
    return [
        Claim(cue.start, cue.end, "word", Stand.UNPROVEN, "no binding shows it")
        for passage in prover.answer.passages
        if passage.kind is not PassageKind.HEADING
        for cue in prover.answer.within(prover.answer.cues, passage.start, passage.end)
        if any(cue.has(kind) for kind in _CLAIMING)
        and not _is_taken(prover, cue)
        and not any(each.start < cue.end and cue.start < each.end for each in claims)
    ]


def _is_taken(prover: "Prover", cue: Cue) -> bool:
    """Whether the word is one of a name or of a column's."""
    spans = (*prover.answer.names, *(each for each in prover.answer.measures if each.own))
    return any(each.start < cue.end and cue.start < each.end for each in spans)


def governed_figures(prover: "Prover", claims: Sequence[Claim]) -> frozenset[int]:
    """The figures that open ranks and directions are told with: where these stand."""
    found: set[int] = set()
    for claim in claims:
        if claim.kind in _GOVERNING and claim.stand is not Stand.PROVEN:
            found.update(_told_with(prover, claim))
    return frozenset(found)


def _told_with(prover: "Prover", claim: Claim) -> Iterator[int]:
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
    """Sentences without anything that could be proven: the writer's own words."""
    for passage in prover.answer.passages:
        if passage.kind is PassageKind.HEADING or _is_asking(prover, passage):
            continue
        if not any(passage.start <= each.start < passage.end for each in claims):
            text = prover.answer.text[passage.start : passage.end]
            start = passage.start + len(text) - len(text.lstrip())
            end = passage.start + len(text.rstrip())
            yield Claim(start, end, "sentence", Stand.UNPROVEN, "own words")


def _is_asking(prover: "Prover", passage: Passage) -> bool:
    return prover.answer.text[passage.start : passage.end].rstrip()[-1:] in _ASKING
