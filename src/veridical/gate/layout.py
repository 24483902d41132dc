"""The shape of an answer: headings, list items, table rows and sentences, and their clauses."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from veridical.late_pattern import late_pattern
from veridical.reading.listed import listed


class SegmentKind(StrEnum):
    """What a stretch of the answer is."""

    HEADING = "heading"
    BULLET = "bullet"
    ROW = "row"
    SENTENCE = "sentence"


class Clause(NamedTuple):
    """A part of a sentence that says one thing."""

    start: int
    end: int


class Segment(NamedTuple):
    """One heading, sentence or table row; a list item of several sentences is several."""

    kind: SegmentKind
    start: int
    end: int
    cells: tuple[Clause, ...] = ()
    """Of a table row."""


@dataclass(frozen=True, slots=True)
class Layout:
    """All segments in order; clauses are found when asked for."""

    text: str
    segments: tuple[Segment, ...]
    _starts: tuple[int, ...]
    _clauses: dict[int, tuple[Clause, ...]] = field(default_factory=dict[int, tuple[Clause, ...]])

    def index_at(self, offset: int) -> int:
        """Which segment covers this place, or stands before it; -1 before the first."""
        return bisect_right(self._starts, offset) - 1

    def segment_at(self, offset: int) -> Segment | None:
        """The segment that covers this place, or the one before it; none before the first."""
        at = self.index_at(offset)
        return self.segments[at] if at >= 0 else None

    def clauses(self, segment: Segment) -> tuple[Clause, ...]:
        """The clauses of a segment; the cells of a row."""
        if segment.cells:
            return segment.cells
        found = self._clauses.get(segment.start)
        if found is None:
            found = tuple(_clauses(self.text, segment))
            self._clauses[segment.start] = found
        return found

    def clause_at(self, offset: int) -> Clause | None:
        """The clause that covers this place."""
        segment = self.segment_at(offset)
        if segment is None:
            return None
        last: Clause | None = None
        for clause in self.clauses(segment):
            if clause.start > offset:
                break
            last = clause
        return last


BULLET_LEAD = (
    r"[^\S\n]*(?:(?:[-*•·‣▪–+]|\(?[0-9]{1,2}[.)]|[a-z]\))\s+"
    r"|[（(]?[0-9一二三四五六七八九十]{1,3}[）、．](?![0-9一二三四五六七八九十])\s*)"
)
_BULLET = late_pattern(rf"{BULLET_LEAD}(?=\S)")
_BULLET_SIGNS = "-*•·‣▪–+(（0123456789abcdef一二三四五六七八九十"
_TITLE = late_pattern(r"\s*#{1,6}\s")
_BOLD = late_pattern(r"\s*(?:\*\*|__)[^*_\n]+(?:\*\*|__)\s*:?\s*")
_RULE = late_pattern(r"[\s|:=-]+")
_HAS_DIGIT = late_pattern("[0-9]")
_LATIN_END = r"[.!?…][.!?…]*[)\"”»’*]*\s+(?=[A-ZÄÖÜÀÉ0-9\"„“«(*\[])"
_SENTENCE_END = late_pattern(_LATIN_END)
_MIXED_END = late_pattern(rf"(?:{_LATIN_END}|[。！？]+[”」』)）]*)")
_HAN_END = late_pattern("[。！？]")
_NO_END = listed(
    "ca bzw z.b d.h u.a nr no inc ltd corp co mr mrs ms dr prof st vs approx mio mrd tsd fr sfr "
    "art bspw inkl exkl resp sog evtl usw jan feb mar apr jun jul aug sep sept okt oct nov dec dez "
    "e.g i.e etc fig p s u.s vgl max min zzgl abs abzgl ggf"
)
_ORDINAL_LEAD = frozenset({"der", "die", "das", "dem", "den", "des", "am", "zum", "im", "vom"})
_MONTH_AHEAD = late_pattern(
    r"(?:Jan|Feb|Mär|Mar|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez|Quartal|Halbjahr|Platz|Rang)"
)
_CLAUSE_END = late_pattern(
    r"[;；，：:]|,(?=\s)|\s[–—-](?=\s)"
    r"|\s(?:and|und|but|aber|while|während|whereas|bzw\.|sowie|wobei|or|oder|compared|gegenüber)(?=\s)"
    r"|而(?!且)|但|、"
)


@lru_cache(maxsize=4)
def read_layout(text: str) -> Layout:
    """The layout of a text, kept for the next stage that asks for it."""
    segments = tuple(_segments(text))
    return Layout(text, segments, tuple(each.start for each in segments))


def _segments(text: str) -> Iterator[Segment]:
    sentence_end = _SENTENCE_END
    if not text.isascii() and _HAN_END.search(text):
        sentence_end = _MIXED_END
    end = -1
    for line in text.split("\n"):
        start = end + 1
        end = start + len(line)
        lead = line.lstrip()
        if not lead:
            continue
        if "|" in lead and (lead[0] == "|" or lead.count("|") > 1):
            if _RULE.fullmatch(line) is None:
                yield Segment(SegmentKind.ROW, start, end, tuple(_cells(text, start, end)))
        elif is_heading(line):
            yield Segment(SegmentKind.HEADING, start, end)
        else:
            bullet = _BULLET.match(line) if lead[0] in _BULLET_SIGNS else None
            kind = SegmentKind.BULLET if bullet else SegmentKind.SENTENCE
            said = start + (bullet.end() if bullet else 0)
            for match in sentence_end.finditer(text, said, end):
                if match.end() < end and _ends(text, start, match):
                    yield Segment(kind, start, match.end())
                    start = match.end()
            yield Segment(kind, start, end)


def is_heading(line: str) -> bool:
    """True for a title, a line in bold, and a line that ends in a colon and has no digit."""
    stripped = line.strip()
    if stripped[0] == "#":
        return _TITLE.match(line) is not None
    if stripped[0] in "*_" and _BOLD.fullmatch(line) is not None:
        return True
    return stripped.rstrip("*_")[-1:] in (":", "：") and _HAS_DIGIT.search(stripped) is None


def _cells(text: str, start: int, end: int) -> Iterator[Clause]:
    at = start
    while at < end:
        stop = text.find("|", at, end)
        stop = end if stop < 0 else stop
        if text[at:stop].strip():
            yield Clause(at, stop)
        at = stop + 1


def _ends(text: str, start: int, match: re.Match[str]) -> bool:
    """False after an abbreviation or an ordinal: "ca. 5", "am 3. Platz"."""
    if match[0][0] != ".":
        return True
    words = text[max(start, match.start() - 24) : match.start()].split()
    if not words:
        return False
    word = words[-1].lower().lstrip("(\"'„«*")
    if word.isdigit() and len(word) <= 2:
        ordinal = len(words) > 1 and words[-2].lower() in _ORDINAL_LEAD
        return not ordinal and _MONTH_AHEAD.match(text, match.end()) is None
    return word not in _NO_END and not (len(word) == 1 and word.isalpha())


def _clauses(text: str, segment: Segment) -> Iterator[Clause]:
    at = segment.start
    for match in _CLAUSE_END.finditer(text, segment.start, segment.end):
        if match.start() > at:
            yield Clause(at, match.end())
            at = match.end()
    if at < segment.end:
        yield Clause(at, segment.end)
