"""What each figure of a text is told of: which columns, which rows, and what of them."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace

from veridical.contracts.proof import ClaimKind
from veridical.gate.claim import Claim, Role
from veridical.gate.evidence.measured import (
    Measured,
    columns_in,
    fits_unit,
    named_columns,
)
from veridical.gate.evidence.quantity import quantity, unit_after
from veridical.gate.evidence.timeline import Timeline
from veridical.gate.records.lexicon import RecordLexicon
from veridical.gate.series.extent import (
    Extent,
    ExtentWords,
    extent_of,
    extent_words,
    is_range,
    is_trend,
)
from veridical.gate.series.when import When
from veridical.late_pattern import late_pattern

_FIGURES = frozenset({ClaimKind.NUMBER, ClaimKind.AMOUNT, ClaimKind.PERCENT, ClaimKind.COUNT})
_SENTENCE_END = late_pattern(r"[.!?](?=\s|\Z)|[\n。！？]")
_DURATION = late_pattern(
    r"-year\b|[-\s](?:(?:day|week|month|hour|minute|h)s?|(?:tag|woche|monat|stunde)[en]{0,2})\b",
    re.IGNORECASE,
)
_COMPUTED = late_pattern(r"[=+*/×÷]\s*\Z|\s[-−–]\s\Z")
_COMPUTES = late_pattern(r"\s*[=+*×÷]|\s[-−–/]\s\d")
_YEARS = quantity("years")
_PER = late_pattern(r"\b(?:per|pro|je)\s\Z", re.IGNORECASE)
_TO_DATE = late_pattern(
    r"\A(?:[^,;:()]|(?<=\d),(?=\d)){0,60}?\b(?:in|on|by|at|for|during|of|as\sof|around|until|since|from|am|im|per)\s"
    r"(?:the\s)?\Z",
    re.IGNORECASE,
)
_OTHER_END = late_pattern(r"\s*(?:to|and|or|bis|und|-|–)\s*[-−]?\d[\d.,]*(?=\D)")
_PHRASE_END = late_pattern(r"[,;:()]|\b(?:and|with|while|but|und|mit)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Told:
    """A figure of the text with all that decides what it must be."""

    index: int
    claim: Claim
    unit: str
    columns: tuple[Measured, ...]
    when: When | None
    carried: bool
    """The time was named in an earlier sentence."""
    extent: Extent
    before: str
    """The words since the figure before."""
    sentence: str


@dataclass(frozen=True, slots=True)
class _Text:
    """A text with its sentences and the times it names."""

    text: str
    ends: tuple[int, ...]
    whens: tuple[When, ...]
    starts: tuple[int, ...]
    words: ExtentWords

    def sentence(self, at: int) -> tuple[int, int]:
        place = bisect_right(self.ends, at)
        begin = self.ends[place - 1] if place else 0
        return begin, self.ends[place] if place < len(self.ends) else len(self.text)


def told_figures(
    claims: Sequence[Claim],
    text: str,
    timeline: Timeline,
    whens: tuple[When, ...],
    lexicon: RecordLexicon,
) -> list[Told]:
    """The figures that may speak of the timeline, in the order of the text."""
    columns = timeline.measures
    ends = tuple(match.end() for match in _SENTENCE_END.finditer(text))
    read = _Text(text, ends, whens, tuple(when.start for when in whens), extent_words(lexicon))
    figures = [
        (index, claim)
        for index, claim in enumerate(claims)
        if claim.kind in _FIGURES
        and claim.role is Role.STATED
        and claim.readings
        and not _is_duration(claim, text, columns)
        and not _PER.search(text[max(0, claim.start - 10) : claim.start])
        and not _COMPUTED.search(text[max(0, claim.start - 3) : claim.start])
        and not _COMPUTES.match(text, claim.end)
        and not any(when.start < claim.end and claim.start < when.end for when in whens)
    ]
    figures.sort(key=lambda figure: figure[1].start)
    told: list[Told] = []
    for place, (index, claim) in enumerate(figures):
        following = figures[place + 1][1].start if place + 1 < len(figures) else len(text)
        told.append(_told(index, claim, told[-1] if told else None, following, columns, read))
    return _with_ranges(told, read)


def _told(
    index: int,
    claim: Claim,
    last: Told | None,
    following: int,
    columns: tuple[Measured, ...],
    read: _Text,
) -> Told:
    begin, end = read.sentence(claim.start)
    same = last if last and last.claim.start >= begin else None
    before = read.text[same.claim.end if same else begin : claim.start]
    after = read.text[claim.end : min(end, following)]
    unit = _unit(claim, read.text)
    when, carried = _when(claim, after, begin, last, read)
    return Told(
        index,
        claim,
        unit,
        _columns(columns, before, after, unit, same),
        when,
        carried,
        extent_of(before, after, read.words),
        before,
        read.text[begin:end],
    )


def _is_duration(claim: Claim, text: str, columns: Sequence[Measured]) -> bool:
    """True for so many days, or years where no column counts years."""
    if _DURATION.match(text, _after_digits(claim)):
        return True
    in_years = quantity(claim.readings[0].unit) == _YEARS
    return in_years and not any(quantity(column.unit) == _YEARS for column in columns)


def _after_digits(claim: Claim) -> int:
    digits = (at for at, sign in enumerate(claim.text, 1) if sign.isdigit())
    return claim.start + max(digits, default=len(claim.text))


def _unit(claim: Claim, text: str) -> str:
    """The unit as it is spelt out behind the digits, else as the claim has it."""
    begin = _after_digits(claim)
    behind = text[begin : begin + 60]
    other_end = _OTHER_END.match(behind)
    if other_end:
        behind = behind[other_end.end() :]
    return unit_after(behind) or claim.readings[0].unit


def _columns(
    columns: tuple[Measured, ...], before: str, after: str, unit: str, same: Told | None
) -> tuple[Measured, ...]:
    known = columns_in(columns, unit)
    if known:
        # What has no unit of its own is meant only where the words right at the figure say so.
        close = _PHRASE_END.split(before)[-1]
        named = named_columns(columns, close, unit) or named_columns(known, before, unit)
    else:
        named = named_columns(columns, before, unit)
    named = named or named_columns(columns, _PHRASE_END.split(after, maxsplit=1)[0], unit)
    if named:
        return named
    if same and same.columns and all(fits_unit(column, unit) for column in same.columns):
        return same.columns
    if known:
        return known
    return columns if len(columns) == 1 and fits_unit(columns[0], unit) else ()


def _when(
    claim: Claim, after: str, begin: int, last: Told | None, read: _Text
) -> tuple[When | None, bool]:
    """The time right after the figure, else the last one before it, else the sentence's before."""
    place = bisect_left(read.starts, claim.end)
    if place < len(read.whens):
        when = read.whens[place]
        gap = read.text[claim.end : when.start]
        if when.start <= claim.end + len(after) and (_TO_DATE.match(gap) or when.kind == "whole"):
            return when, False
    if place and read.whens[place - 1].start >= begin:
        return read.whens[place - 1], False
    if place:
        return read.whens[place - 1], True
    return None, False


def _with_ranges(told: list[Told], read: _Text) -> list[Told]:
    """The two figures of a range are the lowest and the highest of what they are told of."""
    for place in range(len(told) - 1):
        low, high = told[place], told[place + 1]
        between = read.text[low.claim.end : high.claim.start]
        if low.unit and between.lstrip().startswith(low.unit):
            between = between.lstrip()[len(low.unit) :]
        if low.columns != high.columns or not is_range(low.before, between):
            continue
        if any(low.claim.end <= when.start < high.claim.start for when in read.whens):
            continue
        when = high.when if not high.carried else low.when
        if is_trend(low.before, read.words) or re.search(r"\b(?:highs|lows)\b", low.before):
            low, high = replace(low, extent=Extent.POINT), replace(high, extent=Extent.POINT)
        elif low.claim.readings[0].value <= high.claim.readings[0].value:
            low, high = replace(low, extent=Extent.LOW), replace(high, extent=Extent.HIGH)
        else:
            low, high = replace(low, extent=Extent.HIGH), replace(high, extent=Extent.LOW)
        told[place] = replace(low, when=when)
        told[place + 1] = high
    return told
