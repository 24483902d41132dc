"""The stretches of an answer that stand in quotation marks or as block quotes."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from veridical.gate.quotations.folded import is_letter
from veridical.late_pattern import late_pattern
from veridical.reading.punctuation import QUOTE_PAIRS, SINGLE_QUOTES

_PLAIN = '"'
_FENCE = late_pattern(r"^(?P<fence>```+|~~~+).*?(?:^(?P=fence)|\Z)", re.MULTILINE | re.DOTALL)
_PARAGRAPH = late_pattern(r"(?:[^\n]|\n(?!\s*\n))+")
_BLOCK = late_pattern(r"^[ \t]*>.*(?:\n[ \t]*>.*)*", re.MULTILINE)
_TAGGED = late_pattern(
    r"<q\b[^<>]*>(?P<inline>[^<]*)</q>|<blockquote\b[^<>]*>(?P<block>[^<]*)</blockquote>"
    r"|``(?P<typeset>[^`\n]+?)''",
    re.IGNORECASE,
)
"""Quotations by markup instead of marks."""
_BEFORE_LINE = late_pattern(r"^[ \t]*(?:>[ \t]?)+", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Quoted:
    """A stretch of the answer that quotes another text."""

    start: int
    end: int
    """With its marks."""
    inner_start: int
    inner_end: int
    """Without them."""
    is_block: bool = False


def find_quoted(answer: str) -> list[Quoted]:
    """All of them in order; marks within a quotation belong to it. Code is not searched."""
    text = _FENCE.sub(_blank, answer)
    found = [
        Quoted(match.start(), match.end(), match.start(), match.end(), is_block=True)
        for match in _BLOCK.finditer(text)
    ]
    text = _BLOCK.sub(_blank, text)
    found += [
        Quoted(*match.span(), *match.span(match.lastgroup or 0)) for match in _TAGGED.finditer(text)
    ]
    text = _TAGGED.sub(_blank, text)
    for paragraph in _PARAGRAPH.finditer(text):
        found += _in_marks(text, *paragraph.span())
    return sorted(found, key=lambda each: each.start)


def inner_text(answer: str, quoted: Quoted) -> str:
    """The quoted text, at the same places; of a block, without the marks before its lines."""
    inner = answer[quoted.inner_start : quoted.inner_end]
    return _BEFORE_LINE.sub(_blank, inner) if quoted.is_block else inner


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])


def _in_marks(text: str, start: int, end: int) -> Iterator[Quoted]:
    """The outermost pairs of marks; one that is never closed goes on to the paragraph's end."""
    closers = _closers()
    opened: list[tuple[str, int]] = []
    for match in _marks().finditer(text, start, end):
        mark, at = match[0], match.start()
        level = _closed_level(text, at, mark, opened)
        if level is not None:
            _, begin = opened[level]
            del opened[level:]
            if not opened:
                yield Quoted(begin, at + 1, begin + 1, at)
        elif mark in closers and _opens(text, at, mark):
            opened.append((mark, at))
    left = [begin for mark, begin in opened if mark not in SINGLE_QUOTES]
    if left:
        last = len(text[:end].rstrip())
        yield Quoted(left[0], last, left[0] + 1, last)


def _closed_level(text: str, at: int, mark: str, opened: list[tuple[str, int]]) -> int | None:
    """The open mark that this one closes: the last possible one."""
    if mark in SINGLE_QUOTES and is_letter(text[at + 1 : at + 2]):
        return None  # an apostrophe
    for level in range(len(opened) - 1, -1, -1):
        other = opened[level][0]
        if mark in _closers()[other] and not (mark == other and _opens_strictly(text, at)):
            return level
        if other not in SINGLE_QUOTES:
            return None
    return None


def _opens(text: str, at: int, mark: str) -> bool:
    after = text[at + 1 : at + 2]
    if not after or after.isspace():
        return False
    before = text[at - 1 : at]
    if mark == _PLAIN or mark in SINGLE_QUOTES:
        return not is_letter(before)
    return True


def _opens_strictly(text: str, at: int) -> bool:
    """A plain mark that stands behind a blank and before a word opens once more."""
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    return (not before or before.isspace() or before in "([{") and after.isalnum()


@cache
def _closers() -> dict[str, str]:
    found: dict[str, str] = {}
    for opening, closing in QUOTE_PAIRS:
        found[opening] = found.get(opening, "") + closing
    return found


@cache
def _marks() -> re.Pattern[str]:
    return re.compile(f"[{re.escape(''.join(sorted(set(''.join(QUOTE_PAIRS)))))}]")
