"""The evidence behind one answer: its sheets, and indexes that are built when they are first asked.

A result does not change once it is recorded, so whoever checks several answers against it, or
one answer anew, prepares it once.
"""

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Any

from veridical.contracts.chunk import Chunk
from veridical.contracts.input_budget import OverBudgetError, keep_time
from veridical.gate.claim import Days
from veridical.gate.evidence.exhibit import Calculation, Exhibit
from veridical.gate.evidence.grid import is_untyped, sheets_from_grid
from veridical.gate.evidence.index import Cells, Figures, numbered, sort_out, sorted_figures
from veridical.gate.evidence.index_days import (
    Spans,
    cell_days,
    days_in_text,
    index_days,
    names_calendar,
)
from veridical.gate.evidence.index_label import (
    Labels,
    Spot,
    index_labels,
    is_key,
    names_codes,
)
from veridical.gate.evidence.index_text import Texts, key_of
from veridical.gate.evidence.record import sheets_from_record
from veridical.gate.evidence.scale import told_scale
from veridical.gate.evidence.sheet import Place, Sheet
from veridical.gate.evidence.structured import record_in
from veridical.gate.evidence.table import sheet_from_table
from veridical.gate.evidence.text import sheets_from_text
from veridical.gate.evidence.timeline import Timeline, timelines_of
from veridical.gate.evidence.typed import typed
from veridical.gate.evidence.unit import (
    currency_columns,
    held_unit,
    is_rate,
    named_currencies,
    told_unit,
    unit_column,
    unit_in,
)
from veridical.gate.lazy import lazy
from veridical.late_pattern import late_pattern
from veridical.reading.figure import DIGITS, read_digits
from veridical.reading.numbers import read_figure

_ENOUGH_ROWS = 20
_DIGIT = late_pattern("[0-9]")
_MAY_BE_FIGURE = late_pattern(r"[^\w]*(?:[A-Za-z]{1,3}[ $.])?[0-9]")
_DIGITS = late_pattern(DIGITS)


class Evidence:
    """The exhibits as sheets, with everything that claims are looked up in."""

    def __init__(self, exhibits: tuple[Exhibit, ...], sheets: tuple[Sheet, ...]) -> None:
        self.exhibits = exhibits
        self.sheets = sheets
        self.numbering = numbered(sheets)
        self.place = self.numbering.place
        self.chunks: tuple[Chunk, ...] = ()
        """Documents beside the exhibits."""
        self.over: OverBudgetError | None = None
        """Why it was not read, where there was too much of it."""
        self.derived: dict[type, Any] = {}
        """What others have worked out from it, by its kind, for the next answer."""
        self._like: dict[str, frozenset[tuple[int, int]]] = {}
        self._reached: dict[tuple[float, float, float], int] = {}
        self._units: dict[tuple[int, int], tuple[str, int | None]] = {}
        self._currencies: dict[int, tuple[int, ...]] = {}

    @lazy
    def cells(self) -> Cells:
        """The cells that say something, by what they hold."""
        return sort_out(self.sheets)

    @lazy
    def figures(self) -> Figures:
        """The figures that fill a cell, in order."""
        return sorted_figures(self.cells.figures, self.cells.figure_codes)

    @lazy
    def written(self) -> Figures:
        """The figures that stand in text cells, in order."""
        return sorted_figures(*_written(self.cells))

    @lazy
    def texts(self) -> Texts:
        """The text cells by their words."""
        return Texts(self.cells.texts, self.cells.text_codes)

    @lazy
    def days(self) -> Spans:
        """The days and periods that cells name."""
        return index_days(self.sheets, self.numbering, self.cells)

    @lazy
    def labels(self) -> Labels:
        """What columns and rows are called."""
        return index_labels(self.sheets)

    @lazy
    def timelines(self) -> tuple[Timeline, ...]:
        """The sheets whose rows follow each other in time."""
        return timelines_of(self.sheets)

    @lazy
    def scales(self) -> frozenset[float]:
        """The scales other than one that some column is kept in."""
        told = {
            column_scale(sheet.columns[at], sheet.scale)
            for sheet in self.sheets
            for at in range(len(sheet.columns))
        }
        return frozenset(told) - {1.0}

    @property
    def calculations(self) -> Iterator[tuple[int, Calculation]]:
        """The receipts of the calculator, each with its exhibit."""
        for at, exhibit in enumerate(self.exhibits):
            if exhibit.calculation is not None:
                yield at, exhibit.calculation

    def cell(self, place: Place) -> Any:
        """What stands in a cell."""
        return self.sheets[place.sheet].rows[place.row][place.column]

    def unit_column(self, sheet: int, column: int) -> int | None:
        """The column that names the unit of this one, row by row."""
        if sheet not in self._currencies:  # looking up many names costs as much as reading them
            self._currencies[sheet] = currency_columns(self.sheets[sheet].columns)
        return unit_column(self.sheets[sheet], column, self._currencies[sheet])

    def unit(self, place: Place) -> str:
        """What a cell's figure is counted in; empty where nobody says."""
        written = self.sheets[place.sheet].units
        if written and (place.row, place.column) in written:
            return written[place.row, place.column]
        known = self._units.get((place.sheet, place.column))
        if known is None:
            keep_time()
            sheet = self.sheets[place.sheet]
            unit = told_unit(sheet, place.column)
            beside = None if unit else self.unit_column(place.sheet, place.column)
            rate = beside is not None or is_rate(sheet, place.column)
            known = (unit or ("" if rate else held_unit(sheet)), beside)
            self._units[place.sheet, place.column] = known
        unit, beside = known
        if beside is None:
            return unit
        return unit_in(self.sheets[place.sheet].rows[place.row][beside])

    def steps_reached(self, low: float, high: float, step: float) -> int:
        """How many multiples of ``step`` from ``low`` to ``high`` some figure rounds to."""
        known = self._reached.get((low, high, step))
        if known is None:
            known = self.figures.distinct_steps(low, high, step)
            self._reached[low, high, step] = known
        return known

    def scale(self, place: Place) -> float:
        """What a cell's figure is counted in: 1000 where it is kept in thousands."""
        sheet = self.sheets[place.sheet]
        return column_scale(sheet.columns[place.column], sheet.scale)

    @lazy
    def has_loose(self) -> bool:
        """True where some sheet was read from a text or a record."""
        return any(map(self.is_loose, range(len(self.sheets))))

    @lazy
    def has_reports(self) -> bool:
        """True where some sheet was read from a page or from cells of text."""
        return any(sheet.report for sheet in self.sheets)

    def is_loose(self, sheet: int) -> bool:
        """True for what was read from a text or a record, where nobody declared a scale."""
        return bool(self.sheets[sheet].row_labels)

    def figure_at(self, place: Place) -> float | None:
        """The figure that fills a cell; none for an empty one or a text."""
        cell = self.cell(place)
        if isinstance(cell, bool) or cell is None:
            return None
        try:
            return float(cell)
        except (TypeError, ValueError, OverflowError):
            return None

    def days_of(self, sheet: int, row: int, column: int) -> Days | None:
        """The day or period that a cell names, with the year that stands beside it."""
        return cell_days(self.sheets[sheet], row, column)

    def columns_like(self, phrase: str) -> frozenset[tuple[int, int]]:
        """The columns that have all these stems in one of their names, and maybe more."""
        known = self._like.get(phrase)
        if known is None:
            said = set(phrase.split(" "))
            known = self._like[phrase] = frozenset(
                spot
                for name, spots in self.labels.columns.items()
                if said.issubset(name.split(" "))
                for spot in spots
            )
        return known

    @lazy
    def code_columns(self) -> frozenset[tuple[int, int]]:
        """The columns, with their sheets, whose numbers name things: accounts, invoices."""
        return frozenset(
            (at, column)
            for at, sheet in enumerate(self.sheets)
            for column, name in enumerate(sheet.columns)
            if names_codes(name) or is_key(sheet, name)
        )

    @lazy
    def key_names(self) -> tuple[dict[str, int], ...]:
        """For each sheet: the names that its rows differ in or share, columns and filters.

        A filter counts from -2 downwards: it is a column that has the same value in every row.
        """
        return tuple(
            {name: -2 - at for at, name in enumerate(sheet.source.held)}
            | {name: column for column, name in enumerate(sheet.columns)}
            for sheet in self.sheets
        )

    @lazy
    def held_keys(self) -> dict[str, list[tuple[int, str]]]:
        """What calls filtered for, as a key, with the sheets and names; calendars left out."""
        found: dict[str, list[tuple[int, str]]] = {}
        for at, sheet in enumerate(self.sheets):
            for name, value in sheet.source.held.items():
                if isinstance(value, str | int) and not names_calendar(name):
                    found.setdefault(key_of(str(value)), []).append((at, name))
        return found

    @lazy
    def first_words(self) -> frozenset[str]:
        """The first word of each key of a cell or a filter."""
        return self.texts.first_words.union(self._longest_held)

    def longest_key(self, first: str) -> int:
        """The most words that a key with this first word has; 0 where there is none."""
        return max(self.texts.longest(first), self._longest_held.get(first, 0))

    @lazy
    def _longest_held(self) -> dict[str, int]:
        """The first word of each key that calls filtered for, where there are several."""
        longest: dict[str, int] = {}
        for key in self.held_keys if len(self.sheets) > 1 else ():
            words = key.split(" ")
            longest[words[0]] = max(longest.get(words[0], 0), len(words))
        return longest

    def spots(self, codes: Sequence[int]) -> set[Spot]:
        """The sheets and columns in which these cells stand."""
        if len(self.sheets) == 1:
            width = self.numbering.widths[0]
            return {(0, code % width) for code in codes}
        return {(place.sheet, place.column) for place in map(self.place, codes)}

    @lazy
    def measure_columns(self) -> frozenset[tuple[int, int]]:
        """The columns, with their sheets, whose figures measure something: no codes, no years."""
        found: set[tuple[int, int]] = set()
        for at, sheet in enumerate(self.sheets):
            columns = tuple(zip(*sheet.rows[:_ENOUGH_ROWS], strict=True))
            for column, name in enumerate(sheet.columns if columns else ()):
                measure = sheet.source.measures.get(name)
                is_key = measure is not None and measure.is_key
                named = is_key or (at, column) in self.code_columns or names_calendar(name)
                if named and not sheet.report:
                    continue  # "account 1020" names a row, not the column of a figure
                if _hold_figures(columns[column]):
                    found.add((at, column))
        return frozenset(found)

    @lazy
    def currencies(self) -> frozenset[str]:
        """Every currency that the evidence names: of columns, of rows, of filters, in labels."""
        return named_currencies(self.sheets)

    def is_code_column(self, place: Place) -> bool:
        """True where a column of numbers names things: accounts, invoices, keys."""
        return (place.sheet, place.column) in self.code_columns

    def build(self) -> "Evidence":
        """All indexes at once, for whoever records a result long before it is asked."""
        _ = self.figures, self.written, self.first_words, self.days, self.labels, self.scales
        _ = self.timelines, self.measure_columns
        self.texts.build()
        return self


def prepare(exhibits: Iterable[Exhibit]) -> Evidence:
    """The evidence of these exhibits, ready to be looked up."""
    kept = tuple(exhibits)
    sheets = tuple(
        typed(sheet) for at, exhibit in enumerate(kept) for sheet in _sheets(at, exhibit)
    )
    return Evidence(kept, sheets)


def _sheets(at: int, exhibit: Exhibit) -> Iterator[Sheet]:
    if exhibit.rows or exhibit.columns:
        if is_untyped(exhibit):
            yield from sheets_from_grid(at, exhibit)
        else:
            yield sheet_from_table(at, exhibit)
    if exhibit.record is not None:
        yield from sheets_from_record(exhibit.record, at, exhibit)
    if exhibit.text:
        record = record_in(exhibit.text)
        if record is not None:
            yield from sheets_from_record(record, at, exhibit)
        else:
            yield from sheets_from_text(exhibit.text, at, exhibit)


def _hold_figures(cells: Sequence[Any]) -> bool:
    """True where some cell is a figure, or a text that may be one."""
    if set(map(type, cells)) == {str}:
        return any(map(_MAY_BE_FIGURE.match, [cell for cell in cells if not cell[:4].isalpha()]))
    return any(
        _may_be_figure(cell)
        if isinstance(cell, str)
        else isinstance(cell, int | float | Decimal) and not isinstance(cell, bool)
        for cell in cells
    )


def _may_be_figure(text: str) -> bool:
    """True for digits with signs and a unit before them; most texts begin with a word instead."""
    return not text[:4].isalpha() and _MAY_BE_FIGURE.match(text) is not None


@lru_cache(maxsize=10_000)
def column_scale(name: str, scale: float) -> float:
    """The scale that a column's name tells, else that of its sheet."""
    return told_scale(name) or scale


def _written(cells: Cells) -> tuple[list[float], list[int]]:
    """What is one figure with its signs and units, and the digits inside other texts."""
    whole = set(cells.figure_codes)
    values: list[float] = []
    codes: list[int] = []
    for text, code in zip(cells.texts, cells.text_codes, strict=True):
        if _DIGIT.search(text) is None or code in whole:
            continue
        found: list[float] = []
        if _may_be_figure(text):
            if days_in_text(text) is not None:
                continue
            found = [reading.value for reading in read_figure(text)]
        if not found:
            shown = _DIGITS.findall(text)
            found = [value for digits in shown for value, _ in read_digits(digits)]
        values += found
        codes += [code] * len(found)
    return values, codes
