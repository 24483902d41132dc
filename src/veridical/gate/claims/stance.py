"""Whether a sentence asserts a figure, or only denies, supposes, asks or restates it."""

import re

from veridical.gate.layout import Clause, read_layout
from veridical.gate.notions import Notion, follows, last_said, leads, said
from veridical.late_pattern import late_pattern

_THAT = late_pattern(r"\W*(?:dass|that)\b", re.IGNORECASE)
_AT_THE_END = late_pattern(r"\bnicht(?:\s(?:ganz|mehr))?\W*$", re.IGNORECASE)
_LABEL = late_pattern(r"\W*\w+\s*[:：]\s*")
_FAR = 60
_CLOSING = ' \n*)）”"'
_QUESTION_ENDS = ("?", "？")


def asserts(text: str, start: int, end: int) -> bool:
    """True where the sentence says of the data that it is this figure."""
    layout = read_layout(text)
    segment = layout.segment_at(start)
    if segment is None:
        return True
    if text[segment.start : segment.end].rstrip(_CLOSING).endswith(_QUESTION_ENDS):
        return False
    clauses = layout.clauses(segment)
    at = max((n for n, each in enumerate(clauses) if each.start <= start), default=0)
    label = _LABEL.fullmatch(text, segment.start, clauses[at].start)
    if label is not None and said(Notion.ASKED, label[0]):
        return False
    before, behind = text[clauses[at].start : start], text[end : max(end, clauses[at].end)]
    corrected = last_said(Notion.CORRECTED, before)
    if corrected is not None:
        before = before[corrected.end() :]
    if said(Notion.LIMITED, before):
        return True
    if _is_denied(before, behind) or _is_unsure(text, clauses, at):
        return False
    if follows(Notion.AIMED, behind, 0) and said(Notion.BEING, before) is None:
        return False
    around = f"{before}, {behind}"
    if said(Notion.ASKED, around):
        return said(Notion.CONFIRMED, behind) is not None
    return said(Notion.PREMISED, around) is None


def is_led_by_being(text: str, start: int) -> bool:
    """True where "is", "amounts to" or the like stands before the figure in its clause."""
    clause = read_layout(text).clause_at(start)
    return clause is not None and said(Notion.BEING, text[clause.start : start]) is not None


def is_said_to_be(text: str, start: int) -> bool:
    """True where such a word stands right before the figure, or one word before it."""
    before = text[max(0, start - _FAR) : start].rstrip()
    word = max(0, start - _FAR) + len(before) - len(before.rpartition(" ")[2])
    return leads(Notion.BEING, text, start) or leads(Notion.BEING, text, word)


def _is_denied(before: str, behind: str) -> bool:
    if said(Notion.INSTEAD, before) or said(Notion.NONE, before):
        return True
    denial = last_said(Notion.NOT, before)
    between = before[denial.end() :] if denial else ""
    if denial and len(between) <= _FAR and said(Notion.BEING, between) is None:
        return True
    if _AT_THE_END.search(behind):
        return True
    return said(Notion.WRONG, behind) is not None and said(Notion.BEING, before) is None


def _is_unsure(text: str, clauses: tuple[Clause, ...], at: int) -> bool:
    """True where the clause, or the one that it hangs on, says that nobody can tell."""
    first = last = at
    if _THAT.match(text, clauses[at].start):
        first, last = max(0, at - 1), min(len(clauses) - 1, at + 1)
    return said(Notion.UNSURE, text[clauses[first].start : clauses[last].end]) is not None
