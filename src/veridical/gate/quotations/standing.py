"""Whether a quotation stands in a chunk word for word, and whether it is whole."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import islice, pairwise

from veridical.contracts.language import Language
from veridical.gate.languages.forms import any_of
from veridical.gate.languages.vocabulary import vocabulary
from veridical.gate.quotations.boundary import size
from veridical.gate.quotations.folded import QUOTE, fold
from veridical.gate.quotations.library import FoldedSpan, Library
from veridical.late_pattern import late_pattern
from veridical.reading.punctuation import LIST_MARKS, VERBATIM, marks

_STOPS = marks(".!?")
_TRAILING = marks(".,;:!?") + LIST_MARKS + " "
_DOTS = r"\.\.\."
_BREAK = late_pattern(
    rf"(?P<omitted>\s*(?:\[\s*{_DOTS}\s*\]|\(\s*{_DOTS}\s*\)|{_DOTS})\s*)"
    rf"|(?P<inserted>\s*\[[^\[\]]{{1,120}}\]\s*)"
)
_VERBATIM = late_pattern(rf"\s*\[(?:{any_of(VERBATIM)})!?\]", re.IGNORECASE)
_LETTER = late_pattern(r"(?:(?<=^)|(?<=\s))\[(\w)\](?=\w)")
_MOST_CHAINS = 50
_SHORT_PART = 2
"""A part of fewer words may be found anywhere: it must stand in the sentence of its neighbour."""
_SHORT_GAP = 3
"""An omission of so few words must not contain a negation."""
_REACH = 14
_LAST_WORD = late_pattern(rf"[\w{QUOTE}]+\s*$")


class Flaw(StrEnum):
    """Why a quotation whose words stand in a chunk is still not proven."""

    INSERTION = "insertion"
    """something in brackets that the chunk does not have"""
    NEGATION = "negation"
    """cut off behind a negation, or one left out"""
    CUT = "cut"
    """single words from different sentences"""


@dataclass(frozen=True, slots=True)
class Stands:
    """Where a quotation stands: one place, or one for each of its parts."""

    places: tuple[FoldedSpan, ...]
    flaw: Flaw | None = None


def wording_of(quoted: str) -> str:
    """A quotation as it is compared: folded, without marks around it."""
    return _LETTER.sub(r"\1", _VERBATIM.sub("", fold(quoted).text)).strip()


def stands(
    wording: str, library: Library, chunks: Sequence[int], *, denied: bool = False
) -> Stands | None:
    """Where a wording stands in one of these chunks; ``denied`` where the answer's own sentence
    has a negation before it."""
    flawed: Stands | None = None
    for found in _candidates(wording, library, chunks):
        if found.flaw is None and not denied and _is_denied(found.places[0], library):
            found = Stands(found.places, Flaw.NEGATION)
        if found.flaw is None:
            return found
        flawed = flawed or found
    return flawed


def parts_of(wording: str, *, inserted: bool = True) -> tuple[list[str], list[str]]:
    """The parts of a quotation and what stands between them: ``omitted`` or ``inserted``; where
    brackets may be the chunk's own, they part nothing."""
    parts: list[str] = []
    between: list[str] = []
    at, kind = 0, ""
    breaks = [each for each in _BREAK.finditer(wording) if inserted or each.lastgroup == "omitted"]
    for match in (*breaks, None):
        part = wording[at : match.start() if match else len(wording)].strip(_TRAILING + QUOTE)
        if part:
            if parts:
                between.append(kind or "omitted")
            parts.append(part)
            kind = ""
        if match is not None:
            kind = "inserted" if "inserted" in (kind, match.lastgroup) else "omitted"
            at = match.end()
    return parts, between


def _candidates(wording: str, library: Library, chunks: Sequence[int]) -> Iterator[Stands]:
    for spelling in _spellings(wording):
        for place in library.find(spelling, chunks):
            yield Stands((place,))
    if _BREAK.search(wording) is None:
        return
    yield from _chains(*parts_of(wording, inserted=False), library, chunks)
    parts, between = parts_of(wording)
    yield from _chains(parts, between, library, chunks)
    inserted = any(match.lastgroup == "inserted" for match in _BREAK.finditer(wording))
    if len(parts) == 1:
        for place in library.find(parts[0], chunks):
            yield Stands((place,), Flaw.INSERTION if inserted else None)


def _chains(
    parts: Sequence[str], between: Sequence[str], library: Library, chunks: Sequence[int]
) -> Iterator[Stands]:
    for chunk in chunks if len(parts) > 1 else ():
        for first in islice(library.find(parts[0], (chunk,)), _MOST_CHAINS):
            chain = _chain(parts, first, library)
            if chain is not None:
                yield Stands(chain, _flaw(chain, between, library))


def _spellings(wording: str) -> Iterator[str]:
    """The wording as it is, without its last sign, and without the marks of a block."""
    seen: set[str] = set()
    bare = wording.strip(QUOTE + " ")
    for each in (wording, wording.rstrip(_TRAILING), bare, bare.rstrip(_TRAILING)):
        if each and each not in seen:
            seen.add(each)
            yield each


def _chain(
    parts: Sequence[str], first: FoldedSpan, library: Library
) -> tuple[FoldedSpan, ...] | None:
    """The parts one after another in the chunk of the first."""
    chain = [first]
    for part in parts[1:]:
        place = library.next(part, first.chunk, chain[-1].end)
        if place is None:
            return None
        chain.append(place)
    return tuple(chain)


def _flaw(chain: Sequence[FoldedSpan], between: Sequence[str], library: Library) -> Flaw | None:
    if "inserted" in between:
        return Flaw.INSERTION
    shelved = library.shelved[chain[0].chunk]
    text = shelved.folded.text
    gaps = [text[one.end : other.start] for one, other in pairwise(chain)]
    within = [not any(stop in gap for stop in _STOPS) for gap in gaps]
    for gap, same in zip(gaps, within, strict=True):
        if same and size(gap) <= _SHORT_GAP and _negations(shelved.language).search(gap.casefold()):
            return Flaw.NEGATION
    for at, place in enumerate(chain):
        beside = (*within[max(0, at - 1) : at], *within[at : at + 1])
        if size(text[place.start : place.end]) < _SHORT_PART and not any(beside):
            return Flaw.CUT
    return None


def _is_denied(place: FoldedSpan, library: Library) -> bool:
    """True if the chunk denies what is quoted, in the word right before it."""
    shelved = library.shelved[place.chunk]
    lead = shelved.folded.text[max(0, place.start - _REACH) : place.start].casefold()
    if shelved.language is Language.ZH:
        return lead.endswith(_denying(Language.ZH))
    last = _LAST_WORD.search(lead)
    word = last[0].strip() if last else ""
    return word in _denying(shelved.language) or word.endswith(f"n{QUOTE}t")


def denies(text: str, language: Language) -> bool:
    """True if a text has a word of negation."""
    return _negations(language).search(fold(text).text.casefold()) is not None


@cache
def _denying(language: Language) -> tuple[str, ...]:
    phrases = vocabulary(language).phrases
    return tuple(phrase for phrase, kinds in phrases.items() if "negation" in kinds)


@cache
def _negations(language: Language) -> re.Pattern[str]:
    words = any_of(_denying(language))
    return re.compile(words if language is Language.ZH else rf"(?:(?<!\w)(?:{words})|n't)(?!\w)")
