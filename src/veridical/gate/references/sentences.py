"""The sentences of a shown answer: where they begin and end, and what stands before them."""

import re
from dataclasses import dataclass

from veridical.gate.references.shown import Asserted, Listed, Part, Piece, Shown
from veridical.late_pattern import late_pattern
from veridical.reading.punctuation import LIST_MARKS, marks, wide_marks

_END = late_pattern(rf"[.!?](?=[\s*_]|$)[*_]*|[{wide_marks('.!?;')}]|;(?=\s)|\n+")
PARTING = late_pattern(f"[{re.escape(marks(',;:()') + LIST_MARKS)}]")
"""Marks that part one statement from the next."""
_LINE = late_pattern(r"\s*(?:[-*•] |\d+[.)] |\|)")
_RULE = late_pattern(r"\s*\|[\s:|-]+\|?\s*$")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, a line of a list or a row of a table."""

    start: int
    end: int
    text: str
    pieces: tuple[Piece, ...]
    claims: tuple[Asserted, ...]
    lists: tuple[Listed, ...]
    paragraph: int
    is_line: bool
    is_row: bool
    lead: int | None = None
    """The sentence that leads up to this line."""
    head: int | None = None
    """The head of the table that this row belongs to."""


def sentences(shown: Shown) -> list[Sentence]:
    """All sentences of the shown text, in order."""
    text = shown.text
    bounds = _bounds(shown, text)
    found: list[Sentence] = []
    paragraph, lead, head = 0, None, None
    start = 0
    for end in bounds:
        part = text[start:end]
        if part.strip() and not _RULE.match(part):
            is_line = bool(_LINE.match(part)) and _at_line_start(text, start)
            is_row = is_line and part.lstrip().startswith("|")
            head = head if is_row else None
            sentence = _sentence(shown, text, start, end, paragraph, is_line, is_row, lead, head)
            if is_row and head is None:
                head = len(found)
            if not is_line:
                lead = len(found)
            found.append(sentence)
        if part.endswith("\n\n"):
            paragraph += 1
        start = end
    return found


def _at_line_start(text: str, start: int) -> bool:
    return start == 0 or text[start - 1] == "\n"


def _bounds(shown: Shown, text: str) -> list[int]:
    """Where sentences end: signs of prose outside of claims."""
    ends: list[int] = []
    for piece in shown.pieces:
        if piece.part is not Part.PROSE or piece.claim is not None:
            continue
        for match in _END.finditer(text, piece.start, piece.end):
            # a digit before the point and a list's number are no ends
            if match[0] == "." and text[: match.start()].rsplit("\n", 1)[-1].strip().isdecimal():
                continue
            ends.append(match.end())
    return [*sorted(set(ends)), len(text)]


def _sentence(
    shown: Shown, text: str, start: int, end: int, paragraph: int,
    is_line: bool, is_row: bool, lead: int | None, head: int | None,
) -> Sentence:  # fmt: skip
    pieces = tuple(piece for piece in shown.pieces if piece.start < end and start < piece.end)
    claims = tuple(claim for claim in shown.claims if start <= claim.start < end)
    lists = tuple(each for each in shown.lists if start <= each.start < end)
    return Sentence(
        start, end, text[start:end], pieces, claims, lists, paragraph, is_line, is_row,
        lead if is_line else None, head,
    )  # fmt: skip
