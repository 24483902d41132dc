"""Operations that the question names, over the cells of rows and columns that it names.

"The average inventory of 2018 and 2019" names a row, two columns and a mean. Such cells are
computed with first. Where no row is named in full, rows are tried that the words only touch, but
then a figure must have so many digits that hardly another one would come out as well.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from veridical.contracts.input_budget import keep_time
from veridical.contracts.language import Language
from veridical.gate.bound import Bound
from veridical.gate.claim import Claim, Reading
from veridical.gate.derive.combine import Combined, coincidence, combined, first_at, mistaken
from veridical.gate.derive.known import PERCENT, Known
from veridical.gate.derive.operation import Operation, named_operations
from veridical.gate.derive.said import concluded
from veridical.gate.derive.turned import is_told
from veridical.gate.evidence.evidence import Evidence
from veridical.gate.evidence.sheet import Place, Sheet
from veridical.gate.layout import Layout, Segment
from veridical.late_pattern import late_pattern
from veridical.ontology.terms import terms

_NAMED_LIMIT, _TOUCHED_LIMIT = 0.30, 0.03
_NAMED_ON_PAGES, _TOUCHED_ON_PAGES = 0.10, 0.01
"""Rows of a page are guesses, and there are many of them: more comes out by chance."""
_NOISE = 1e-9
_COVERED = 0.6
_LONG_WORD = 14
_FIRST_YEAR, _LAST_YEAR = 1990, 2040
_MOST_ROWS = 6
_MOST_CELLS = 14
_MOST_TOGETHER = 8
_WIDEST_SHEET = 500
"""Columns: what is wider is no table that a question names columns of."""
_LARGEST_SHEET = 120
_YEAR = late_pattern(r"(?:19|20)\d\d")
_YEARS = late_pattern(r"((?:19|20)\d\d)\s*(?:-|–|to|through|until|and|bis|至|到)\s*((?:19|20)\d\d)")
_FILLERS = frozenset(
    terms("the of and in for a an to from at as is was were by on with what how much net")
)
_MARGIN = late_pattern(r"\bmargins?\b|marge\b|毛利率|净利率|利润率", re.IGNORECASE)
_OF_MARGINS = frozenset(terms("profit income sales revenue revenues"))
"""A margin is a kind of profit for each unit of sales, so whoever says it names both rows."""

Group = list[Known]


@dataclass(frozen=True, slots=True)
class _Words:
    """What a question and a sentence speak of."""

    spoken: frozenset[str]
    glued: str
    """The text without its spaces, for labels that lost theirs."""
    years: frozenset[str]
    operations: frozenset[Operation]


class Asked:
    """One question over the evidence."""

    def __init__(self, evidence: Evidence, question: str, language: Language) -> None:
        self._evidence = evidence
        self._question = question
        self._language = language
        self._text = ""
        in_tables = any(exhibit.columns for exhibit in evidence.exhibits)
        self._named_limit = _NAMED_LIMIT if in_tables else _NAMED_ON_PAGES
        self._touched_limit = _TOUCHED_LIMIT if in_tables else _TOUCHED_ON_PAGES

    def derive(
        self, bounds: Sequence[Bound], open_claims: Sequence[int], layout: Layout
    ) -> dict[int, Bound]:
        """The open claims that follow from the named cells."""
        found: dict[int, Bound] = {}
        self._text = layout.text
        known: dict[Segment | None, _Words] = {}  # many claims stand in one sentence
        for at in open_claims:
            claim = bounds[at].claim
            segment = layout.segment_at(claim.start)
            words = known.get(segment)
            if words is None:
                said = layout.text[segment.start : segment.end] if segment else ""
                words = known[segment] = _words(f"{self._question} {said}")
            bound = self._settled(claim, words)
            if bound is not None:
                found[at] = bound
        return found

    def _settled(self, claim: Claim, words: _Words) -> Bound | None:
        if not words.operations:
            return None
        for groups, limit in (
            (list(self._named_groups(words)), self._named_limit),
            (list(self._touched_groups(words)), self._touched_limit),
        ):
            for reading in claim.readings:
                found = self._fitting(claim, reading, groups, words.operations, limit)
                if found is not None:
                    best, share = found
                    return concluded(claim, reading, best, share, self._evidence, self._language)
        return None

    def _fitting(
        self,
        claim: Claim,
        reading: Reading,
        groups: list[Group],
        operations: Collection[Operation],
        limit: float,
    ) -> tuple[Combined, float] | None:
        percent = reading.unit == PERCENT
        made = [each for group in groups for each in combined(group, operations, percent=percent)]
        reach = reading.half_step + abs(reading.value) * _NOISE

        def told(each: Combined) -> bool:
            return is_told(each, claim, self._evidence, self._text)

        for scale in {1.0, reading.scale}:
            value, step = reading.value / scale, reach / scale
            best = first_at(made, value, step, told)
            if best is not None:
                values = [each.value for each in made]
                if mistaken(values, value, step) <= limit:
                    return best, coincidence(values, value, step)
        return None

    def _named_groups(self, words: _Words) -> Iterator[Group]:
        """Cells of one named row, of named rows in a column, of a named column."""
        for index, sheet in enumerate(self._evidence.sheets):
            if len(sheet.columns) > _WIDEST_SHEET:
                continue
            labels = _labels(sheet)
            rows = _named(labels, words)
            columns = _of_years(sheet.columns, words.years)
            for row in rows:
                yield self._cells(index, [(row, column) for column in columns])
            if len(rows) > 1:
                for column in columns:
                    yield self._cells(index, [(row, column) for row in rows])
                together = [(row, column) for row in rows for column in columns]
                if len(together) <= _MOST_TOGETHER:
                    yield self._cells(index, together)
            named = _named(sheet.columns, words)
            lines = rows or _of_years(labels, words.years)
            if len(lines) <= _MOST_CELLS:
                for column in named:
                    yield self._cells(index, [(row, column) for row in lines])
                for row in lines if len(named) > 1 else ():
                    yield self._cells(index, [(row, column) for column in named])

    def _touched_groups(self, words: _Words) -> Iterator[Group]:
        """The rows and columns of all sheets in which the words name any row at all."""
        for index, sheet in enumerate(self._evidence.sheets):
            if len(sheet.rows) > _LARGEST_SHEET or len(sheet.columns) > _WIDEST_SHEET:
                continue
            columns = _of_years(sheet.columns, words.years)
            for row in range(len(sheet.rows)):
                yield self._cells(index, [(row, column) for column in columns])
            for column in columns:
                every = [(row, column) for row in range(len(sheet.rows))]
                for start in range(0, len(every), _MOST_CELLS):
                    yield self._cells(index, every[start : start + _MOST_CELLS])

    def _cells(self, index: int, chosen: Sequence[tuple[int, int]]) -> Group:
        keep_time()
        sheet = self._evidence.sheets[index]
        found: Group = []
        for row, column in chosen[:_MOST_CELLS]:
            cell = sheet.rows[row][column]
            if isinstance(cell, int | float) and not isinstance(cell, bool) and not _is_year(cell):
                place = Place(index, row, column)
                value = float(cell)
                unit = self._evidence.unit(place)
                found.append(Known(value, value, f"{value:,.10g}", unit=unit, place=place))
        return found


def _is_year(cell: float) -> bool:
    return _FIRST_YEAR <= cell <= _LAST_YEAR and cell == int(cell)


def _words(text: str) -> _Words:
    years = set(_YEAR.findall(text))
    for first, last in _YEARS.findall(text):
        years.update(str(year) for year in range(int(first), int(last) + 1))
    spoken = frozenset(terms(text)) - _FILLERS
    if _MARGIN.search(text):
        spoken |= _OF_MARGINS
    return _Words(spoken, _glued(text), frozenset(years), named_operations(text))


def _glued(text: str) -> str:
    return "".join(sign for sign in text.casefold() if sign.isalpha())


def _labels(sheet: Sheet) -> Sequence[str]:
    """What names the rows: their labels, or their cells that are words."""
    if sheet.row_labels or len(sheet.rows) > _LARGEST_SHEET:
        return sheet.row_labels
    return [" ".join(cell for cell in row if isinstance(cell, str)) for row in sheet.rows]


def _of_years(names: Sequence[str], years: frozenset[str]) -> list[int]:
    """The places whose name has one of the years; all where fewer than two have."""
    chosen = [at for at, name in enumerate(names) if years & set(_YEAR.findall(name))]
    return chosen if len(chosen) > 1 else list(range(len(names)))


def _named(names: Sequence[str], words: _Words) -> list[int]:
    """The names that the words cover, the best first."""
    found: list[tuple[float, int]] = []
    for at, name in enumerate(names):
        score = max((_covered(part, words) for part in _parts(name)), default=0.0)
        if score:
            found.append((-score, at))
    return [at for _, at in sorted(found)[:_MOST_ROWS]]


def _parts(name: str) -> Iterator[str]:
    yield name
    if ": " in name:
        yield name.rpartition(": ")[2]


def _covered(name: str, words: _Words) -> float:
    """How many words of the name are spoken, where it is most of them."""
    if len(name) >= _LONG_WORD and " " not in name and _glued(name) in words.glued:
        return 1.0
    own = {word for word in terms(name) if word not in _FILLERS and not word.isdigit()}
    if not own:
        return 0.0
    shared = len(own & words.spoken)
    return shared * shared / len(own) if shared >= _COVERED * len(own) else 0.0
