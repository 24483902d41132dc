"""Judged quotations and claims as a proof shows them, and what is wrong as problems to word."""

from collections.abc import Iterator

from veridical.contracts.language import Language
from veridical.contracts.proof import Binding, Ground, PassageRef, ProvenClaim, Standing
from veridical.gate.quotations.documents import Documented
from veridical.gate.quotations.judged import Judged
from veridical.gate.quotations.library import Library, Spot
from veridical.gate.rules.problem import Problem
from veridical.messages import message
from veridical.reading.punctuation import QUOTES_ALIKE

_MARKS = QUOTES_ALIKE + "> \n"
_LONGEST = 300


def claims_of(found: Documented, answer: str, language: Language) -> Iterator[ProvenClaim]:
    """Each with the chunk and the place that it rests on, or that speaks against it."""
    for each in found.judged:
        stands = each.standing is Standing.GROUNDED
        binding = _binding(each, found.library, language) if each.spots else None
        yield ProvenClaim(
            kind=each.kind,
            text=answer[each.start : each.end],
            start=each.start,
            end=each.end,
            standing=each.standing,
            binding=binding if stands else None,
            nearest=None if stands else binding,
        )


def problems_of(found: Documented, answer: str) -> Iterator[Problem]:
    """What is wrong: a quotation is checked word for word, so that it holds an answer back."""
    for each in found.judged:
        if each.code is None:
            continue
        yield Problem(
            each.code,
            each.variant,
            claim=answer[each.start : each.end].strip(_MARKS),
            start=each.start,
            values=(("chunk", each.chunk),),
            instead=each.instead,
        )


def _binding(judged: Judged, library: Library, language: Language) -> Binding:
    refs = tuple(_ref(spot, library) for spot in judged.spots)
    first = refs[0]
    named = f"{first.chunk} ({first.title})" if first.title else first.chunk
    words = message("proof.in_chunk", language, chunk=named)
    return Binding(ground=Ground.PASSAGE, words=words, passages=refs)


def _ref(spot: Spot, library: Library) -> PassageRef:
    chunk = library.shelved[spot.chunk].chunk
    return PassageRef(
        chunk=chunk.id,
        start=spot.start,
        end=spot.end,
        text=chunk.text[spot.start : min(spot.end, spot.start + _LONGEST)],
        title=chunk.title,
        source=chunk.source,
    )
