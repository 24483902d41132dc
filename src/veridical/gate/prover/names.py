"""The names of the evidence: the rows and columns that a text mentions."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import lru_cache

from veridical.evidence.column import CellKind
from veridical.evidence.concepts import value_words
from veridical.evidence.moment import FoundMoment, Moment, of_date, read_moment
from veridical.evidence.table import Cell, EvidenceTable
from veridical.gate.languages.forms import forms
from veridical.gate.text.passage import Span
from veridical.late_pattern import late_pattern
from veridical.ontology.terms import HAN, fold, stem

_TOKEN = late_pattern(rf"[^\W\d_{HAN}]+|\d+")
_HAN_RUN = late_pattern(f"[{HAN}]")
_SHORTEST_HAN = 2
_SHORTEST_PART = 4
_LONGEST_NAME = 80
_LONGEST_SIGN = 6
_SIGNED = late_pattern(r"[+−-]$")
_LONG_PART = 7
_YEAR = late_pattern(r"(?:19|20)\d\d")
_RANGES = frozenset({"-", "–", "—", "~", *forms().time_range})


@dataclass(frozen=True, slots=True)
class Token:
    """A word of the text, as it is compared."""

    start: int
    end: int
    stem: str


@dataclass(frozen=True, slots=True)
class NameMention:
    """Where a text names rows by a value of theirs."""

    start: int
    end: int
    table: int
    column: int
    rows: frozenset[int]
    is_key: bool
    """True if it names one row, rather than a value that several share."""
    whole: bool = True
    """True if the value is there in full."""


def tokens(text: str) -> list[Token]:
    """The words and digits of a text."""
    return [Token(m.start(), m.end(), root(m[0])) for m in _TOKEN.finditer(text)]


@lru_cache(maxsize=50_000)
def root(word: str) -> str:
    """A word without its endings: ``offers`` and ``offer`` meet."""
    return stem(stem(fold(word)))


@dataclass(frozen=True, slots=True)
class _Value:
    table: int
    column: int
    rows: frozenset[int]
    is_key: bool


class NameIndex:
    """All values that name rows, by their words; read once for the evidence."""

    def __init__(self, tables: Sequence[EvidenceTable]) -> None:
        self._latin: dict[str, dict[tuple[str, ...], list[_Value]]] = {}
        self._han: dict[str, list[_Value]] = {}
        self._signs: dict[str, list[_Value]] = {}
        """Values that differ only in a sign: A+, A-."""
        self._moments: list[tuple[Moment, _Value]] = []
        for at, table in enumerate(tables):
            self._add_table(at, table)
        self._latin_lengths = {
            first: sorted({len(stems) for stems in named}, reverse=True)
            for first, named in self._latin.items()
        }
        """By their first word: how many words values may have, the longest first."""
        self._parts = self._distinct_parts()
        self._han_lengths: dict[str, list[int]] = {}
        """By their first sign: how long values may be, the longest first."""
        for first, length in sorted({(each[0], len(each)) for each in self._han}, reverse=True):
            self._han_lengths.setdefault(first, []).append(length)

    def _add_table(self, at: int, table: EvidenceTable) -> None:
        for name, value in table.held.items():
            # a column of that name has it row by row
            if isinstance(value, str) and table.column(name) is None:
                members = frozenset(table.members)
                self._add(value, CellKind.NAME, _Value(at, -1, members, is_key=False))
        for number, column in enumerate(table.columns):
            if column.kind is CellKind.FIGURE or column.kind is CellKind.FLAG:
                continue
            by_value: dict[tuple[Cell, int | None], set[int]] = {}
            years = _years(table) if column.kind is CellKind.PERIOD else None
            for row, cells in enumerate(table.rows):
                if cells[number] is not None:
                    year = years[row] if years else None
                    by_value.setdefault((cells[number], year), set()).add(row)
            for (value, year), rows in by_value.items():
                key = (len(rows) == 1 and len(by_value) > 1) or len(table.rows) == 1
                self._add(value, column.kind, _Value(at, number, frozenset(rows), key), year)

    def _add(self, value: Cell, kind: CellKind, found: _Value, year: int | None = None) -> None:
        if isinstance(value, date | datetime):
            self._moments.append((of_date(value), found))
            return
        text = str(value)
        moment = read_moment(text) if kind is CellKind.PERIOD else None
        if moment is not None:
            named = moment.month is not None and moment.year is None and year is not None
            self._moments.append((replace(moment, year=year) if named else moment, found))
            return
        if len(text) > _LONGEST_NAME:
            return
        if len(text) <= _LONGEST_SIGN and _SIGNED.search(text):
            self._signs.setdefault(text.replace("−", "-"), []).append(found)
            return
        if _HAN_RUN.search(text):
            if len(text) >= _SHORTEST_HAN:
                self._han.setdefault(text, []).append(found)
            return
        for alias in value_words(text) if not found.is_key else ():
            if _HAN_RUN.search(alias):
                self._han.setdefault(alias, []).append(found)
            else:
                other = root(alias)
                self._latin.setdefault(other, {}).setdefault((other,), []).append(found)
        stems = tuple(token.stem for token in tokens(text))
        if stems and not (len(stems) == 1 and len(stems[0]) < 2 and found.is_key is False):
            self._latin.setdefault(stems[0], {}).setdefault(stems, []).append(found)

    def _distinct_parts(self) -> dict[str, list[_Value]]:
        """Words that only one value has: ``Alpine`` for ``Alpine Shell Jacket``."""
        seen: dict[str, set[tuple[str, ...]]] = {}
        for values in self._latin.values():
            for stems in values:
                for each in stems:
                    seen.setdefault(each, set()).add(stems)
        return {
            each: self._latin[next(iter(names))[0]][next(iter(names))]
            for each, names in seen.items()
            if len(names) == 1
            and len(next(iter(names))) > 1
            and len(each) >= _SHORTEST_PART
            and not each.isdecimal()
        }

    def find(
        self, text: str, words: Sequence[Token], moments: Iterable[FoundMoment]
    ) -> list[NameMention]:
        """All mentions of values, in order; the longest at a place."""
        found = [*self._of_words(text, words), *self._of_han(text), *self._of_signs(text)]
        listed = list(moments)
        within: set[int] = set()
        for at, each in enumerate(listed[:-1]):
            ranges = list(self._of_range(text, each, listed[at + 1]))
            if ranges:
                within |= {at, at + 1}
                found += ranges
        for at, each in enumerate(listed):
            if at not in within:
                found += self._of_moment(each)
        return sorted(found, key=lambda each: (each.start, each.table, each.column))

    def _of_words(self, text: str, words: Sequence[Token]) -> Iterator[NameMention]:
        at = 0
        while at < len(words):
            length, values = self._longest(words, at)
            if values:
                start, end = words[at].start, words[at + length - 1].end
                for value in values:
                    yield NameMention(
                        start, end, value.table, value.column, value.rows, value.is_key
                    )
                at += length
                continue
            token = words[at]
            part = self._parts.get(token.stem, ())
            if part and (text[token.start].isupper() or len(token.stem) >= _LONG_PART):
                for value in part:
                    yield NameMention(
                        token.start, token.end, value.table, value.column, value.rows,
                        value.is_key, whole=False,
                    )  # fmt: skip
            at += 1

    def _longest(self, words: Sequence[Token], at: int) -> tuple[int, list[_Value]]:
        by_stems = self._latin.get(words[at].stem, {})
        for length in self._latin_lengths.get(words[at].stem, ()):
            stems = tuple(token.stem for token in words[at : at + length])
            values = by_stems.get(stems)
            if values and len(stems) == length:
                return length, values
        return 0, []

    def _of_signs(self, text: str) -> Iterator[NameMention]:
        plain = text.replace("−", "-").replace("–", "-")
        for sign, values in self._signs.items():
            for match in re.finditer(rf"(?<!\w){re.escape(sign)}(?![\w+-])", plain):
                for value in values:
                    yield NameMention(
                        *match.span(), value.table, value.column, value.rows, value.is_key
                    )

    def _of_han(self, text: str) -> Iterator[NameMention]:
        if not self._han:
            return
        begins = re.compile(f"[{re.escape(''.join(self._han_lengths))}]")
        at = 0
        while (begun := begins.search(text, at)) is not None:
            at = begun.start()
            lengths = self._han_lengths[text[at]]
            end = next((at + each for each in lengths if text[at : at + each] in self._han), at)
            for value in self._han[text[at:end]] if end > at else ():
                yield NameMention(at, end, value.table, value.column, value.rows, value.is_key)
            at = max(end, at + 1)

    def _of_range(self, text: str, first: FoundMoment, last: FoundMoment) -> Iterator[NameMention]:
        """From one time to another: July 2024–June 2025, Januar bis März."""
        between = text[first.end : last.start].strip().casefold()
        if between not in _RANGES:
            return
        start, end = first.moment, last.moment
        if start.year is None and end.year is not None:
            start = replace(start, year=end.year)
        rows: dict[tuple[int, int], set[int]] = {}
        for moment, value in self._moments:
            known = moment if start.year is not None else replace(moment, year=None)
            if _between(known, start, end):
                rows.setdefault((value.table, value.column), set()).update(value.rows)
        for (table, column), each in rows.items():
            yield NameMention(first.start, last.end, table, column, frozenset(each), len(each) == 1)

    def _of_moment(self, found: FoundMoment) -> Iterator[NameMention]:
        rows: dict[tuple[int, int], set[int]] = {}
        for moment, value in self._moments:
            if found.moment.covers(moment):
                rows.setdefault((value.table, value.column), set()).update(value.rows)
        for (table, column), each in rows.items():
            yield NameMention(
                found.start, found.end, table, column, frozenset(each), len(each) == 1
            )


def _years(table: EvidenceTable) -> list[int] | None:
    """The year of each row, from a column of years or from the call itself."""
    for at, column in enumerate(table.columns):
        cells = [row[at] for row in table.rows] if column.kind is CellKind.PERIOD else []
        if cells and all(isinstance(cell, str) and _YEAR.fullmatch(cell) for cell in cells):
            return [int(str(cell)) for cell in cells]
    years = {str(value) for value in table.held.values() if _YEAR.fullmatch(str(value))}
    return [int(years.pop())] * len(table.rows) if len(years) == 1 else None


def _between(moment: Moment, first: Moment, last: Moment) -> bool:
    """True if a cell's time lies within a range; the end counts as a whole."""
    begun = first.order <= moment.order
    over = moment.order > last.order and not last.covers(moment)
    if first.year is None and first.order > last.order:  # November to January
        return begun or not over
    return begun and not over


def overlaps(span: Span, spans: Iterable[Span]) -> bool:
    """True if the span overlaps one of the others."""
    return any(span[0] < end and start < span[1] for start, end in spans)
