"""Figures, times and names that stand in the prose and that no slot printed.

A text that a fact of the answer prints anyway counts as its slot; all others are refused.
"""

import re
from collections.abc import Iterator, Mapping

from veridical.evidence.column import CellKind
from veridical.evidence.moment import find_moments
from veridical.facts.fact import Fact
from veridical.facts.kernel.frame import Frame
from veridical.facts.prose.filled import Piece
from veridical.facts.prose.finding import Code, Level, ProseFinding
from veridical.facts.prose.known import DIGITS, Known
from veridical.facts.prose.sentences import Sentence
from veridical.facts.prose.vocabulary import Vocabulary
from veridical.late_pattern import late_pattern
from veridical.ontology.terms import has_han

_MARKER = late_pattern(r"(?m)^[ \t]*(?:[-*>][ \t]*)?(?P<number>\d{1,2})[.)][ \t]+(?=\S)")
_FIGURE = late_pattern(r"(?<!\d)(?P<word>[A-Za-z_]*)(?P<digits>\d[\d.,'’]*)")
_LEAST_NAME = 2
_MOST_NAMES = 2000


def markers(text: str) -> frozenset[int]:
    """The places of the numbers of a numbered list: at the start of lines, one after another."""
    found: set[int] = set()
    before = 0
    for match in _MARKER.finditer(text):
        number = int(match["number"])
        if number in (1, before + 1):
            found.add(match.start("number"))
            before = number
    return frozenset(found)


def check(
    sentence: Sentence, known: Known, names: "Names", words: Vocabulary, question: str,
    listed: frozenset[int],
) -> Iterator[ProseFinding]:  # fmt: skip
    """Figures, times and names outside of slots that no fact has."""
    for piece in sentence.pieces:
        if piece.fact:
            continue
        taken = bytearray(len(piece.text))
        for at in listed:
            if piece.start <= at < piece.end:
                _take(taken, at - piece.start, at - piece.start + 2)
        yield from _times(piece, known, taken)
        yield from _figures(piece, known, taken, question)
        yield from _numbers(piece, known, words, taken)
        yield from names.foreign(piece, known)


def _take(taken: bytearray, start: int, end: int) -> None:
    """Mark a stretch of the text as read."""
    taken[start:end] = b"\1" * (min(end, len(taken)) - start)


def _times(piece: Piece, known: Known, taken: bytearray) -> Iterator[ProseFinding]:
    for found in find_moments(piece.text):
        text = piece.text[found.start : found.end]
        if text.islower() and text.isalpha():
            continue  # may, march: words like any other
        _take(taken, found.start, found.end)
        if not known.time(found.moment) and not _all_known(text, known):
            yield _finding(Code.TIME, piece, found.start, found.end)


def _all_known(text: str, known: Known) -> bool:
    digits = DIGITS.findall(text)
    return bool(digits) and all(each in known.figures for each in digits)


def _figures(piece: Piece, known: Known, taken: bytearray, question: str) -> Iterator[ProseFinding]:
    for match in _FIGURE.finditer(piece.text):
        start = match.start("digits")
        text = match["digits"].rstrip(".,'’")
        if match["word"] and (match["word"] + text).casefold() in question:
            continue  # Q3, CO2: a word of the question
        if taken[start]:
            continue
        plain = re.sub(r"[,'’]", "", text)
        is_count = plain.isdecimal() and int(plain) in known.counts
        if text in known.figures or plain in known.figures or is_count:
            continue
        yield _finding(Code.FIGURE, piece, start, start + len(text))


def _numbers(
    piece: Piece, known: Known, words: Vocabulary, taken: bytearray
) -> Iterator[ProseFinding]:
    for match in words.numbers.finditer(piece.text):
        if taken[match.start()]:
            continue
        if words.values[match[0].casefold()] not in known.counts:
            yield _finding(Code.FIGURE, piece, match.start(), match.end())


def _finding(code: Code, piece: Piece, start: int, end: int) -> ProseFinding:
    return ProseFinding(
        code, Level.REFUSED, piece.text[start:end], piece.start + start, piece.start + end
    )


class Names:
    """The names of rows in the results, to be found in prose."""

    def __init__(self, frames: Mapping[str, Frame], facts: Mapping[str, Fact]) -> None:
        self._names = _row_names(frames)
        labels = " ".join(name for frame in frames.values() for name in frame.columns)
        self._labels = labels.casefold().replace("_", " ")
        ordered = sorted(self._names, key=len, reverse=True)[:_MOST_NAMES]
        forms = [re.escape(name) if not name.isascii() and has_han(name) else
                 rf"(?<!\w){re.escape(name)}(?!\w)" for name in ordered]  # fmt: skip
        self._pattern = re.compile("|".join(forms) or r"(?!)")

    def foreign(self, piece: Piece, known: Known) -> Iterator[ProseFinding]:
        """Names of rows that no fact of the answer has."""
        for match in self._pattern.finditer(piece.text):
            folded = match[0].casefold()
            if folded in self._labels or any(folded in each for each in known.names):
                continue
            yield _finding(Code.NAME, piece, match.start(), match.end())


def _row_names(frames: Mapping[str, Frame]) -> set[str]:
    found: set[str] = set()
    for frame in frames.values():
        for at, column in enumerate(frame.table.columns):
            if column.kind not in (CellKind.NAME, CellKind.CODE) or not column.is_key:
                continue
            cells = (row[at] for row in frame.table.rows)
            found |= {
                cell for cell in cells
                if isinstance(cell, str) and len(cell) >= _LEAST_NAME and not cell.islower()
                and not cell.isdecimal()
            }  # fmt: skip
    return found
