"""An answer as passages: sentences, list items, rows of tables and headings, without markup."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise

from veridical.evidence.moment import month_names
from veridical.gate.languages.forms import any_of, forms
from veridical.late_pattern import late_pattern
from veridical.reading.punctuation import marks


class PassageKind(StrEnum):
    """The kinds of passages."""

    SENTENCE = "sentence"
    ITEM = "item"
    ROW = "row"
    HEADING = "heading"


Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of the clean text that is read as one."""

    start: int
    end: int
    kind: PassageKind
    block: int
    """Passages of one paragraph, list or table share it."""
    cells: tuple[Span, ...] = ()
    header: tuple[Span, ...] = ()
    """Of a table's row: its cells, and those of the table's head."""
    line: int = 0
    """Where its line begins: sentences of one list item share it."""
    lead: int | None = None
    """The passage that introduces a list or a table, or the heading above."""

    @property
    def span(self) -> Span:
        """Its places."""
        return self.start, self.end


@dataclass(frozen=True, slots=True)
class CleanText:
    """The answer without markup, and for each character its place in the shown answer."""

    text: str
    origins: tuple[int, ...]
    shown: str = ""
    """The text as it is shown, with its emphasis."""

    def span(self, start: int, end: int) -> Span:
        """The span in the shown text."""
        if not self.origins:
            return 0, 0
        last = len(self.origins) - 1
        return self.origins[min(start, last)], self.origins[min(max(end - 1, start), last)] + 1


_MARKUP = late_pattern(r"\*\*|__|`|(?<![\w*])\*(?=[^\s*])|(?<=[^\s*])\*(?![\w*])|(?m:^#{1,6} )|~~")
_ITEM = late_pattern(r"\s*(?:[-*•–·]|\(?\d{1,2}[.)])\s+")
_RULE = late_pattern(r"[\s|:-]+")
_STOPS = ".!?"
_WIDE_STOPS = marks(_STOPS).removeprefix(_STOPS)
"""Chinese begins its next sentence without a blank."""
_STOP = late_pattern(rf"(?<=[{_STOPS}])\s+(?=[^a-zäöüéè\s])|(?<=[{_WIDE_STOPS}{marks(';')}])")
_SHORTENED = late_pattern(
    rf"(?:\b(?:{any_of(forms().shortened)})|(?<![\d.,'’])\b\d{{1,2}}|\b[A-Z])\.$", re.IGNORECASE
)
_MONTH_NEXT = late_pattern(r"\s*[A-ZÄ][a-zä]+")


def clean_text(answer: str) -> CleanText:
    """The answer without the signs of emphasis and headings."""
    kept: list[int] = []
    at = 0
    for match in _MARKUP.finditer(answer):
        kept.extend(range(at, match.start()))
        at = match.end()
    kept.extend(range(at, len(answer)))
    return CleanText("".join(answer[each] for each in kept), tuple(kept), answer)


def passages(text: str) -> tuple[Passage, ...]:
    """The passages of a clean text, in order."""
    reader = _Reader(text)
    at = 0
    for line in text.split("\n"):
        reader.line(at, at + len(line))
        at += len(line) + 1
    if reader.found and reader.found[-1].kind is PassageKind.HEADING:
        reader.found[-1] = replace(reader.found[-1], kind=PassageKind.SENTENCE)
    return tuple(reader.found)  # below a heading there is something


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.found: list[Passage] = []
        self._block = 0
        self._header: tuple[Span, ...] = ()
        self._in_table = False
        self._lead: int | None = None
        self._lead_of_list: int | None = None
        self._was_item = False

    def line(self, start: int, end: int) -> None:
        content = self.text[start:end]
        stripped = content.strip()
        if not stripped:
            self._block += 1
            self._in_table = False
            return
        if stripped.startswith("|") or (self._in_table and "|" in stripped):
            self._row(start, end)
            return
        self._in_table = False
        item = _ITEM.match(content)
        if item is not None:
            if not self._was_item:
                self._lead_of_list = self._lead
            self._was_item = True
            self._sentences(start + item.end(), end, PassageKind.ITEM)
            return
        self._was_item = False
        if stripped[-1] in _COLONS or (
            len(stripped) < _LONGEST_HEADING and stripped[-1] not in _ENDS
        ):
            self._block += 1
            self._add(start, end, PassageKind.HEADING, start)
            return
        self._sentences(start, end, PassageKind.SENTENCE)

    def _row(self, start: int, end: int) -> None:
        if not self._in_table:
            self._block += 1
            self._header = ()
            self._lead_of_list = self._lead
        self._in_table = True
        if _RULE.fullmatch(self.text[start:end]):
            return
        cells = tuple(_cells(self.text, start, end))
        if not self._header:
            self._header = cells
            return
        self.found.append(
            Passage(
                start,
                end,
                PassageKind.ROW,
                self._block,
                cells,
                self._header,
                start,
                self._lead_of_list,
            )
        )

    def _sentences(self, start: int, end: int, kind: PassageKind) -> None:
        cuts = [start]
        for match in _STOP.finditer(self.text, start, end):
            before = self.text[max(start, match.start() - 8) : match.start()]
            if _SHORTENED.search(before) and not self._is_new(match.start(), match.end()):
                continue
            cuts.append(match.end())
        cuts.append(end)
        for first, last in pairwise(cuts):
            if self.text[first:last].strip():
                self._add(first, last, kind, start)

    def _is_new(self, stop: int, next_start: int) -> bool:
        """True if a number's point ends a sentence after all: no month follows it."""
        number = self.text[max(0, stop - 2)].isdigit()
        word = _MONTH_NEXT.match(self.text, next_start)
        return number and (word is None or word[0].strip().casefold() not in month_names())

    def _add(self, start: int, end: int, kind: PassageKind, line: int) -> None:
        lead = self._lead_of_list if kind is PassageKind.ITEM else self._lead
        self.found.append(Passage(start, end, kind, self._block, line=line, lead=lead))
        if kind is not PassageKind.ITEM:
            self._lead = len(self.found) - 1


_LONGEST_HEADING = 60
_COLONS = marks(":")
_ENDS = marks(_STOPS) + "…)"


def _cells(text: str, start: int, end: int) -> list[Span]:
    begin = text.index("|", start, end) + 1 if text[start:end].lstrip().startswith("|") else start
    found: list[Span] = []
    while begin < end:
        stop = text.find("|", begin, end)
        stop = end if stop < 0 else stop
        content = text[begin:stop]
        if content.strip() or stop < end:
            lead = len(content) - len(content.lstrip())
            found.append((begin + lead, begin + max(lead, len(content.rstrip()))))
        begin = stop + 1
    return found


def listed_blocks(found: Sequence[Passage]) -> list[list[Passage]]:
    """The items of each list and the rows of each table."""
    blocks: dict[int, list[Passage]] = {}
    for passage in found:
        if passage.kind in (PassageKind.ITEM, PassageKind.ROW):
            blocks.setdefault(passage.block, []).append(passage)
    return list(blocks.values())


def cell_at(passage: Passage, place: int) -> int | None:
    """The number of the table's cell at this place."""
    return next((n for n, (s, e) in enumerate(passage.cells) if s <= place < e), None)


def cell_head(passage: Passage, place: int) -> Span | None:
    """The head of the table's column at this place."""
    at = cell_at(passage, place)
    return passage.header[at] if at is not None and at < len(passage.header) else None


def passage_at(found: Sequence[Passage], place: int) -> int | None:
    """The number of the passage at this place."""
    at = bisect_right(found, place, key=lambda each: each.start) - 1
    return at if at >= 0 and place < found[at].end else None
