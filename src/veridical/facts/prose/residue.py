"""Figures, times and names that stand in the prose and that no slot printed.

A text that a fact of the answer prints anyway counts as its slot; all others are refused.
"""

import re
from collections.abc import Iterator

from veridical.evidence.moment import find_moments
from veridical.facts.prose.context import Context
from veridical.facts.prose.filled import Piece
from veridical.facts.prose.finding import Code, Level, ProseFinding
from veridical.facts.prose.known import DIGITS, Known
from veridical.facts.prose.sentences import Sentence
from veridical.late_pattern import late_pattern

_FIGURE = late_pattern(r"(?<!\d)(?P<word>[A-Za-z_]*)(?P<digits>\d[\d.,'’]*)")


def check(sentence: Sentence, context: Context) -> Iterator[ProseFinding]:
    """Figures, times and names outside of slots that no fact has."""
    for piece in sentence.own:
        taken = bytearray(len(piece.text))
        for at in context.markers:
            if piece.start <= at < piece.end:
                _take(taken, at - piece.start, at - piece.start + 2)
        yield from _times(piece, context.known, taken)
        yield from _figures(piece, context, taken)
        yield from _names(piece, context)


def _take(taken: bytearray, start: int, end: int) -> None:
    """Mark a stretch of the text as read."""
    taken[start:end] = b"\1" * (min(end, len(taken)) - start)


def _times(piece: Piece, known: Known, taken: bytearray) -> Iterator[ProseFinding]:
    for found in find_moments(piece.text):
        text = piece.text[found.start : found.end]
        if text.islower() and text.isalpha():
            continue  # may, march: words like any other
        _take(taken, found.start, found.end)
        digits = DIGITS.findall(text)
        if not known.time(found.moment) and not (digits and known.figures.issuperset(digits)):
            yield _finding(Code.TIME, piece, found.start, found.end)


def _figures(piece: Piece, context: Context, taken: bytearray) -> Iterator[ProseFinding]:
    known = context.known
    for match in _FIGURE.finditer(piece.text):
        start = match.start("digits")
        text = match["digits"].rstrip(".,'’")
        if match["word"] and (match["word"] + text).casefold() in context.question:
            continue  # Q3, CO2: a word of the question
        plain = re.sub(r"[,'’]", "", text)
        is_count = plain.isdecimal() and int(plain) in known.counts
        if not (taken[start] or is_count or {text, plain} & known.figures):
            yield _finding(Code.FIGURE, piece, start, start + len(text))
    for match in context.words.numbers.finditer(piece.text):
        number = context.words.values[match[0].casefold()]
        if not taken[match.start()] and number not in known.counts:
            yield _finding(Code.FIGURE, piece, match.start(), match.end())


def _names(piece: Piece, context: Context) -> Iterator[ProseFinding]:
    """Names of rows that no fact of the answer has."""
    for match in context.rows.finditer(piece.text):
        folded = match[0].casefold()
        if folded not in context.columns and not any(
            folded in each for each in context.known.names
        ):
            yield _finding(Code.NAME, piece, match.start(), match.end())


def _finding(code: Code, piece: Piece, start: int, end: int) -> ProseFinding:
    return ProseFinding(
        code, Level.REFUSED, piece.text[start:end], piece.start + start, piece.start + end
    )
