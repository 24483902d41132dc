"""The claims of a sentence that its sources must have: figures, times and names."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from veridical.contracts.language import Language
from veridical.contracts.proof import ClaimKind
from veridical.evidence.dimension import Dimension, Quantity, comparable
from veridical.evidence.moment import FoundMoment, Moment, find_moments
from veridical.gate.languages.vocabulary import vocabulary
from veridical.gate.proper_names import names
from veridical.gate.quotations.folded import QUOTE, fold
from veridical.gate.quotations.library import Library, Shelved, Spot, words_of
from veridical.gate.text.figures import Figure, find_figures
from veridical.gate.text.passage import Span
from veridical.late_pattern import late_pattern
from veridical.ontology.terms import HAN
from veridical.reading.figure import Reading
from veridical.reading.language import small_words

_TOKEN = late_pattern(rf"[^\W{HAN}]*\d[^\W{HAN}]*")
"""A word with a digit; if nothing else reads it, the source must have it verbatim."""
_HAN = late_pattern(f"[{HAN}]")
_CODE = late_pattern(
    r"(?<![A-Za-z0-9_.])(?=[\w/-]*[A-Z])(?=[\w/-]*(?:\d|[A-Z]\w*[A-Z]))[A-Za-z0-9][\w/-]*[\w]"
)
"""A word with two capitals, or with a capital and a digit: NATO, iPhone, B12, COVID-19."""
_CAPITAL = late_pattern(r"(?<=[^\W\d_] )(?:[A-Z][^\W\d_]+)|(?<=, )(?:[A-Z][^\W\d_]+)")
_MARKER = late_pattern(r"\d{1,3}[.)]\s")
_FIRST = late_pattern(r"[\W_]*([A-Z][^\W\d_]+)")
_OWNER = late_pattern(rf"{QUOTE}s?$|s$")
_SHORTEST = 3


@dataclass(frozen=True, slots=True)
class SentenceClaim:
    """One claim of a sentence, and where it stands."""

    start: int
    end: int
    kind: ClaimKind
    figure: Figure | None = None
    moment: Moment | None = None
    is_sure: bool = True
    """False for a name that is recognised only by its capital."""


def find_claims(text: str, language: Language, library: Library) -> list[SentenceClaim]:
    """All claims of a sentence, in order."""
    moments = find_moments(text)
    taken = [(each.start, each.end) for each in moments]
    found = [_time(each) for each in moments]
    figures = find_figures(text, vocabulary(language), taken)
    found += [
        SentenceClaim(each.start, each.end, ClaimKind.NUMBER, figure=each) for each in figures
    ]
    for each in (*_names(text, language, library), *_tokens(text)):
        if not any(each.start < other.end and other.start < each.end for other in found):
            found.append(each)
    return sorted(found, key=lambda each: each.start)


def _tokens(text: str) -> Iterator[SentenceClaim]:
    for match in _TOKEN.finditer(text):
        if not _marks(text, match.start()):
            yield SentenceClaim(*match.span(), ClaimKind.IDENTIFIER, is_sure=False)


def _marks(text: str, start: int) -> bool:
    """True if a number only numbers an item of a list."""
    line = text.rfind("\n", 0, start) + 1
    return not text[line:start].strip(" (") and _MARKER.match(text, start) is not None


def spot_of(
    claim: SentenceClaim, text: str, library: Library, chunks: Sequence[int]
) -> Spot | None:
    """Where one of the chunks supports the claim."""
    for at in chunks:
        shelved = library.shelved[at]
        span = _span(claim, text, shelved)
        if span is not None:
            return Spot(at, *span)
    return None


def is_term(term: str, library: Library, chunks: Sequence[int]) -> bool:
    """True if one of the chunks has the term, in upper or lower case."""
    folded = fold(term).text.casefold().strip()
    return any(_has_name(folded, library.shelved[at]) for at in chunks)


def _time(found: FoundMoment) -> SentenceClaim:
    day = found.moment.as_day is not None
    kind = ClaimKind.DATE if day else ClaimKind.PERIOD
    return SentenceClaim(found.start, found.end, kind, moment=found.moment)


def _names(text: str, language: Language, library: Library) -> Iterator[SentenceClaim]:
    for start, end in names(text, language):
        yield SentenceClaim(start, end, ClaimKind.NAME)
    for match in _CODE.finditer(text):
        yield SentenceClaim(match.start(), match.end(), ClaimKind.NAME)
    if language is not Language.EN:
        return
    small = small_words(language)
    for match in _CAPITAL.finditer(text):
        if match[0].lower() not in small and len(match[0]) >= _SHORTEST:
            yield SentenceClaim(match.start(), match.end(), ClaimKind.NAME, is_sure=False)
    first = _FIRST.match(text)
    if first is not None and first[1] in library.capitalised:
        yield SentenceClaim(first.start(1), first.end(1), ClaimKind.NAME, is_sure=False)


def _span(claim: SentenceClaim, text: str, shelved: Shelved) -> Span | None:
    if claim.moment is not None:
        return _moment(claim.moment, shelved)
    if claim.figure is not None:
        agreeing = (span for each, span in shelved.figures if _agree(claim.figure, each))
        return next(agreeing, None)
    name = fold(text[claim.start : claim.end]).text.strip()
    if not _has_name(name.casefold(), shelved):
        return None
    found = re.search(re.escape(name), shelved.folded.text, re.IGNORECASE)
    return shelved.folded.span(*found.span()) if found else (0, 0)


def _moment(moment: Moment, shelved: Shelved) -> Span | None:
    """Where a chunk names the time, or its day if the chunk names only one year."""
    for each, span in shelved.moments:
        if moment.covers(each):
            return span
    years = {each.year for each, _ in shelved.moments if each.year is not None}
    if moment.year is None or years - {moment.year}:
        return None
    written = (span for figure, span in shelved.figures if _is_year(figure, moment.year))
    year = (0, 0) if years else next(written, None)
    if year is None:
        return None
    rest = replace(moment, year=None)
    if rest == Moment():
        return year
    return next((span for each, span in shelved.moments if rest.covers(each)), None)


def _is_year(figure: Figure, year: int) -> bool:
    return figure.dimension is None and figure.readings[0].value == year


def _agree(one: Figure, other: Figure) -> bool:
    """True if the other figure, the chunk's, rounds to this one in the same unit."""
    if not _same_unit(one.dimension, other.dimension):
        return False
    if one.sign and other.sign and one.sign != other.sign:
        return False
    ratio = 1.0
    if one.dimension is not None and other.dimension is not None:
        ratio = other.dimension.factor / one.dimension.factor
    return any(
        abs(mine.value - theirs.value * ratio) <= _allowed(mine, theirs, ratio)
        for mine in one.readings
        for theirs in other.readings
    )


def _allowed(one: Reading, two: Reading, ratio: float) -> float:
    """Half a unit of the last digit shown; nothing is known more exactly than the chunk has it."""
    exact = max(abs(one.value), 1.0) * 1e-9
    return one.half_step + exact if two.half_step * ratio <= one.half_step else exact


def _same_unit(one: Dimension | None, other: Dimension | None) -> bool:
    """A percentage is nothing else; elsewhere one of the two may leave the unit to the reader."""
    if one is None or other is None:
        known = one or other
        return known is None or known.quantity is not Quantity.SHARE
    return comparable(one, other)


def _has_name(name: str, shelved: Shelved) -> bool:
    if _HAN.search(name):
        return name in shelved.full_text
    words = words_of(name)
    return bool(words) and all(_has_word(word, shelved) for word in words)


def _has_word(word: str, shelved: Shelved) -> bool:
    bare = _OWNER.sub("", word)
    return word in shelved.words or bare in shelved.words or f"{word}s" in shelved.words
