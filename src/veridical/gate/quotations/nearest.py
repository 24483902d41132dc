"""The text closest to a quotation that stands nowhere. Searched only once it has failed.

A few pairs of words are looked for where they stand, and the stretch with most of them is compared
with the quotation: no text is compared with all of another.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rapidfuzz import fuzz

from veridical.contracts.input_budget import keep_time
from veridical.gate.quotations.boundary import size
from veridical.gate.quotations.folded import is_letter
from veridical.gate.quotations.library import PARTING, FoldedSpan, Library
from veridical.late_pattern import late_pattern
from veridical.ontology.terms import HAN

_UNIT = late_pattern(rf"[{HAN}]|[^\W_{HAN}]+|[^\s\w]")
_PROBES = 24
_MOST_HITS = 40
_STEP = 32
_MARGIN = 24
NEAR = 60.0
"""The similarity in percent from which a wording counts as an altered copy."""
_LEAST_SEGMENT = 3
_MOST_SEGMENTS = 5
_CLOSE = 60
"""Segments that are not farther apart in one chunk: something between them was left out."""


@dataclass(frozen=True, slots=True)
class Nearest:
    """The wording of a chunk that is most like a quotation."""

    place: FoldedSpan
    likeness: float


def nearest(wording: str, library: Library, chunks: Sequence[int]) -> Nearest | None:
    """The most alike stretch of these chunks, or none where nothing is alike."""
    probes = list(_probes(wording))
    if len(chunks) == len(library.shelved) > 1:
        found = _most_alike(wording, library.joined[0], probes)
        if found is None:
            return None
        start, end, likeness = found
        return Nearest(library.place(start, end), likeness)
    best: Nearest | None = None
    for at in chunks:
        found = _most_alike(wording, library.shelved[at].folded.text, probes)
        if found is not None and (best is None or found[2] > best.likeness):
            best = Nearest(FoldedSpan(at, found[0], found[1]), found[2])
    return best


def _most_alike(
    wording: str, text: str, probes: Sequence[tuple[int, str]]
) -> tuple[int, int, float] | None:
    start = _start(text, probes)
    if start is None:
        return None
    begin = max(0, start - _MARGIN)
    window, _, _ = text[begin : start + len(wording) + _MARGIN].partition(PARTING)
    if not window:
        return None
    aligned = fuzz.partial_ratio_alignment(wording, window, score_cutoff=NEAR)
    if aligned is None:
        return None
    first, last = (
        (aligned.dest_start, aligned.dest_end) if len(wording) <= len(window) else (0, len(window))
    )
    return *_widened(text, begin + first, begin + last), aligned.score


def segments(wording: str, library: Library) -> tuple[FoldedSpan, ...]:
    """The places of two or more stretches that a quotation is put together from, each of them
    several words long and standing in some chunk; nothing where it is not so."""
    cuts = [match.start() for match in _UNIT.finditer(wording)] + [len(wording)]
    found: list[FoldedSpan] = []
    first = 0
    while first < len(cuts) - 1 and len(found) < _MOST_SEGMENTS:
        last, place = _longest(wording, cuts, first, library)
        if place is None or size(wording[cuts[first] : cuts[last]]) < _LEAST_SEGMENT:
            return ()
        found.append(place)
        first = last
    return tuple(found) if first == len(cuts) - 1 and len(found) > 1 else ()


def is_omission(found: Sequence[FoldedSpan]) -> bool:
    """True if segments follow each other closely in one chunk."""
    return all(
        one.chunk == other.chunk and 0 <= other.start - one.end <= _CLOSE
        for one, other in pairwise(found)
    )


def differing(wording: str, other: str, length: int = 60) -> str:
    """The stretch of the other text around the first place where the two differ."""
    limit = min(len(wording), len(other))
    at = next((at for at in range(limit) if wording[at] != other[at]), limit)
    if len(other) <= length:
        return other
    begin = max(0, min(at - length // 3, len(other) - length))
    while begin and is_letter(other[begin - 1]):
        begin -= 1
    end = min(len(other), begin + length)
    return f"{'…' if begin else ''}{other[begin:end].strip()}{'…' if end < len(other) else ''}"


def _longest(
    wording: str, cuts: Sequence[int], first: int, library: Library
) -> tuple[int, FoldedSpan | None]:
    """The longest stretch from here that some chunk has; what is in it is in all shorter ones."""
    low, high = first, len(cuts) - 1
    best: FoldedSpan | None = None
    while low < high:
        keep_time()
        middle = (low + high + 1) // 2
        piece = wording[cuts[first] : cuts[middle]].rstrip()
        place = _anywhere(piece, library)
        if place is None:
            high = middle - 1
        else:
            low, best = middle, place
    return low, best


def _anywhere(piece: str, library: Library) -> FoldedSpan | None:
    begin = library.joined[0].find(piece)
    return library.place(begin, begin + len(piece)) if begin >= 0 else None


def _start(text: str, probes: Sequence[tuple[int, str]]) -> int | None:
    """Where the quotation would begin, by most of its pairs of words."""
    votes: Counter[int] = Counter()
    for offset, probe in probes:
        keep_time()
        at, hits = text.find(probe), 0
        while at >= 0 and hits < _MOST_HITS:
            votes[(at - offset) // _STEP] += 1
            at, hits = text.find(probe, at + 1), hits + 1
    if not votes:
        return None
    best = max(votes, key=lambda each: votes[each] + votes[each + 1])
    return best * _STEP


def _probes(wording: str) -> Iterator[tuple[int, str]]:
    """Pairs of words, evenly over the quotation; single ones where it has no more."""
    spans = [match.span() for match in re.finditer(r"[^\W_]+", wording)]
    if len(spans) < _PROBES // 4:  # a script without blanks, or a few words
        units = [at for at, sign in enumerate(wording) if sign.isalnum()]
        step = max(1, len(units) // _PROBES)
        for at in units[::step]:
            yield at, wording[at : at + 3]
        return
    step = max(1, (len(spans) - 1) // _PROBES)
    for at in range(0, len(spans) - 1, step):
        yield spans[at][0], wording[spans[at][0] : spans[at + 1][1]]


def _widened(text: str, start: int, end: int) -> tuple[int, int]:
    """The span without partial words."""
    while start and is_letter(text[start - 1]) and is_letter(text[start]):
        start -= 1
    while start < end and not text[start].isalnum():
        start += 1
    while end < len(text) and end > start and is_letter(text[end - 1]) and is_letter(text[end]):
        end += 1
    return start, end
