"""The types of a result's columns: from the ontology, else from names and values."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

from veridical.contracts.input_budget import keep_time
from veridical.evidence.column import Additivity, CellKind, Column
from veridical.evidence.column_words import NameWords, listed_words, name_words
from veridical.evidence.dimension import COUNT, NUMBER, SHARE, Dimension, Quantity
from veridical.evidence.exhibit import Measure
from veridical.evidence.moment import month_text, read_moment, week_text
from veridical.evidence.table import Cell
from veridical.evidence.unit import scale_factor, unit_dimension
from veridical.late_pattern import late_pattern
from veridical.ontology.printed import Percent
from veridical.ontology.terms import HAN, split_name, terms
from veridical.reading.numbers import read_figure
from veridical.reading.punctuation import marks
from veridical.reading.units import CURRENCIES

_DAY = late_pattern(r"\d{4}-\d{2}-\d{2}")
_MOMENT = late_pattern(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}")
_PERIOD = late_pattern(r"(?:19|20)\d{2}(?:-(?:0[1-9]|1[0-2])|[-/ ]?Q[1-4]|-W\d{2})?")
_LATE_SECOND = 1_262_304_000
"""2010: whole numbers from here on are seconds, with any column name."""
_FIRST_SECOND, _LAST_SECOND = 315_532_800, 4_102_444_800
_FIRST_YEAR, _LAST_YEAR = 1900, 2100
_MOST_DIGITS = 15
_SEGMENTS = late_pattern(rf"[\s_.{marks('()')}\[\]/-]+")
_HAN = late_pattern(f"[{HAN}%]+")
_COMPUTED = late_pattern(r"\w\(.*[*/]|[*/].*\)")
"""A name that is an expression of products and ratios: the units in it are not its own."""
_COUNTED = late_pattern(r"(?<![^\W_])\d+[A-Za-z]{1,3}(?![^\W_])")
"""A number with its unit, which is part of the subject and not the column's unit: 30d."""
_GROUPED = late_pattern(r"(?<![\d.,])[1-9]\d{0,2}([.,])\d{3}(?![\d.,])")
_WEEKS = 53
_MONTHS = 12
_MYRIAD = 10_000
_LONGEST_PERIOD = 24
_SHARES: Mapping[Percent | None, Dimension] = {
    Percent.FRACTION: SHARE,
    Percent.POINTS: replace(SHARE, factor=0.01),
}


def typed_column(
    name: str, cells: Sequence[Any], declared: Measure | None = None
) -> tuple[Column, tuple[Cell, ...]]:
    """The column with its cells as typed values."""
    declared = declared or Measure()
    named = name_words(name)
    present = [cell for cell in cells if cell is not None and cell != ""]
    kind, values = _kind_and_values(named, cells, present)
    dimension = None
    if kind is CellKind.FIGURE:
        dimension = _SHARES.get(declared.percent) or _dimension(
            name, named, values, present, declared.unit
        )
        if declared.is_key:
            kind, dimension = CellKind.CODE, None
        elif dimension.quantity is not Quantity.SHARE and dimension.factor == 1:
            dimension = replace(dimension, factor=declared.scale)
    distinct = {value for value in values if value is not None}
    whole = bool(values) and len(distinct) == len(values)
    return Column(
        name=name,
        kind=kind,
        dimension=dimension,
        additivity=declared.additivity or _additivity(named, dimension),
        is_key=whole and kind is not CellKind.FIGURE and not distinct <= CURRENCIES.keys(),
        words=tuple(
            dict.fromkeys((*terms(name), *(t for each in declared.labels for t in terms(each))))
        ),
        labels=declared.labels,
        label=declared.label,
        decimals=declared.decimals,
        favourable=declared.favourable,
        coined=declared.coined,
    ), values


def _kind_and_values(
    named: NameWords, cells: Sequence[Any], present: Sequence[Any]
) -> tuple[CellKind, tuple[Cell, ...]]:
    if not present:
        return CellKind.NAME, tuple(None for _ in cells)
    if all(isinstance(cell, bool) for cell in present):
        return CellKind.FLAG, tuple(cell if isinstance(cell, bool) else None for cell in cells)
    if all(isinstance(cell, datetime | date) for cell in present):
        kind = CellKind.MOMENT if isinstance(present[0], datetime) else CellKind.DAY
        return kind, tuple(cells)
    texts = all(isinstance(cell, str) for cell in present)
    if texts and all(_MOMENT.match(cell) for cell in present):
        return CellKind.MOMENT, tuple(_moment(cell) if cell else None for cell in cells)
    if texts and all(_DAY.fullmatch(cell) for cell in present):
        return CellKind.DAY, tuple(_day(cell) if cell else None for cell in cells)
    if texts and all(_PERIOD.fullmatch(cell) or _is_period(cell) for cell in present):
        return CellKind.PERIOD, tuple(cell or None for cell in cells)
    if named.has("code") and not named.begins_with("counted"):
        return CellKind.CODE, tuple(None if cell in (None, "") else str(cell) for cell in cells)
    grouped = _are_grouped(present) and not named.has("share")
    figures = _all_figures(cells, grouped=grouped, small=named.has("share"))
    if figures is not None:
        kind, values = _figures(named, figures)
        if kind is not CellKind.FIGURE or not any(map(_is_padded, present)):
            return kind, values
        return CellKind.CODE, tuple(None if cell in (None, "") else str(cell) for cell in cells)
    return CellKind.NAME, tuple(None if cell in (None, "") else str(cell) for cell in cells)


def _all_figures(cells: Sequence[Any], *, grouped: bool, small: bool) -> list[float | None] | None:
    """The figure of each cell that is not empty; none where one of them has none."""
    figures: list[float | None] = []
    for cell in cells:
        if cell is None or cell == "" or cell != cell:  # NaN, which is no figure
            figures.append(None)
            continue
        figure = _figure(cell, grouped=grouped, small=small)
        if figure is None:
            return None
        figures.append(figure)
    return figures


def _is_padded(cell: Any) -> bool:
    """True for digits with a zero before them: ``01`` numbers a thing and counts nothing."""
    return isinstance(cell, str) and len(cell) > 1 and cell[0] == "0" and cell.isdecimal()


def _is_period(text: str) -> bool:
    return len(text) <= _LONGEST_PERIOD and read_moment(text) is not None


def _figures(
    named: NameWords, figures: Sequence[float | None]
) -> tuple[CellKind, tuple[Cell, ...]]:
    """Numbers that count something, unless they are days, years or codes in disguise."""
    known = [each for each in figures if each is not None]
    whole = all(each == int(each) for each in known)
    if (
        whole
        and not named.has("money")
        and (named.has("moment") or all(each >= _LATE_SECOND for each in known))
        and all(_FIRST_SECOND <= _seconds(each) < _LAST_SECOND for each in known)
    ):
        return CellKind.MOMENT, tuple(
            None if each is None else datetime.fromtimestamp(_seconds(each), UTC)
            for each in figures
        )
    if whole and named.has("moment") and all(_of_digits(each) for each in known):
        return CellKind.DAY, tuple(None if each is None else _of_digits(each) for each in figures)
    if whole and named.has("period") and all(_FIRST_YEAR <= each <= _LAST_YEAR for each in known):
        return CellKind.PERIOD, tuple(None if each is None else str(int(each)) for each in figures)
    if whole and named.has("week") and all(1 <= each <= _WEEKS for each in known):
        return CellKind.PERIOD, tuple(
            None if each is None else week_text(int(each)) for each in figures
        )
    if whole and named.has("month") and all(1 <= each <= _MONTHS for each in known):
        return CellKind.PERIOD, tuple(
            None if each is None else month_text(int(each)) for each in figures
        )
    return CellKind.FIGURE, tuple(figures)


def _seconds(value: float) -> float:
    return value / 1000 if value >= _LAST_SECOND else value


def _of_digits(value: float) -> date | None:
    try:
        return datetime.strptime(str(int(value)), "%Y%m%d").replace(tzinfo=UTC).date()
    except ValueError:
        return None


def _moment(text: str) -> datetime:
    found = datetime.fromisoformat(text)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _day(text: str) -> date:
    return date.fromisoformat(text)


def _are_grouped(present: Sequence[Any]) -> bool:
    """True if each point or comma in a column of texts parts thousands: 24.600 beside 9.150."""
    written = [cell for cell in present if isinstance(cell, str)]
    parted = [cell for cell in written if "." in cell or "," in cell]
    shaped = [_GROUPED.search(cell) for cell in parted]
    signs = {match[1] for match in shaped if match}
    return len(parted) > 1 and all(shaped) and len(signs) == 1


def _figure(cell: Any, *, grouped: bool = False, small: bool = False) -> float | None:
    if type(cell) is float:
        return cell if abs(cell) < 10**_MOST_DIGITS else None
    if isinstance(cell, bool) or cell is None:
        return None
    if isinstance(cell, int | float | Decimal):
        value = float(cell)
        return value if value == value and abs(value) < 10**_MOST_DIGITS else None
    if isinstance(cell, str) and len(cell) <= 40:
        values = [reading.value for reading in read_figure(cell)]
        if not values:
            return None
        value = max(values) if grouped else min(values) if small else values[0]
        return value if abs(value) < 10**_MOST_DIGITS else None
    return None


def _dimension(
    name: str, named: NameWords, values: Sequence[Cell], present: Sequence[Any], declared: str
) -> Dimension:
    known = [value for value in values if isinstance(value, float)]
    found = unit_dimension(declared) if declared else None
    found = found or _unit_in_cells(present) or _unit_in_name(name)
    if found is not None and found.quantity is not Quantity.SHARE:
        return found
    is_share = named.has("share") and _COMPUTED.search(name) is None
    if found is not None or is_share:
        fraction = all(-1 <= value <= 1 for value in known) and any(value % 1 for value in known)
        if fraction:
            return SHARE
        return Dimension(Quantity.SHARE, factor=0.01)
    if all(value >= 0 and value.is_integer() for value in known) and not named.has("never_adds_up"):
        return COUNT
    parts = len(known) > 1 and all(0 <= value <= 1 for value in known)
    return SHARE if parts else NUMBER


def _unit_in_cells(present: Sequence[Any]) -> Dimension | None:
    """The unit that every cell is written with: ``CHF 12``, ``4.2 %``."""
    units = {
        reading.unit
        for cell in present
        if isinstance(cell, str)
        for reading in read_figure(cell)[:1]
    }
    return unit_dimension(next(iter(units))) if len(units) == 1 and units != {""} else None


def _unit_in_name(name: str) -> Dimension | None:
    """The unit that a name ends with, or that stands alone in it: ``revenue_eur``."""
    if _COMPUTED.search(name):
        return None
    plain = _COUNTED.sub(" ", name)
    # a name in camelCase is split, but kWh is one unit
    last = _SEGMENTS.split(plain)[-1]
    spelt = plain if unit_dimension(last) is not None else split_name(plain)
    segments = [each for each in _SEGMENTS.split(spelt) if each and not each.isdecimal()]
    about = len(segments) > 1 and segments[-2].casefold() in listed_words("about_time")
    for segment in reversed(segments[1:] or segments):
        found = unit_dimension(segment)
        if about and found is not None and found.quantity is Quantity.DURATION:
            continue
        if segment.casefold() == "ms" and name_words(plain).has("speed"):
            return unit_dimension("m/s")
        if found is not None and (segment == segments[-1] or found.quantity is Quantity.MONEY):
            return _in_scale(_amount(segments) or found, segments)
    behind = marks(")") + "".join(listed_words("count_sign"))
    for length in (3, 2, 1):
        ending = name.rstrip(behind)[-length:]
        found = unit_dimension(ending) if _HAN.fullmatch(ending) else None
        if found is not None and found.factor != _MYRIAD:
            return found
    return None


def _amount(segments: Sequence[str]) -> Dimension | None:
    """The currency in a name that ends with a scale: ``revenue_eur_thousand``."""
    if scale_factor(segments[-1]) is None:
        return None
    units = (unit_dimension(each) for each in segments[:-1])
    return next((each for each in units if each and each.quantity is Quantity.MONEY), None)


def _in_scale(unit: Dimension, segments: Sequence[str]) -> Dimension:
    """An amount that is kept in thousands or millions: ``budget_k_usd``."""
    if unit.quantity is not Quantity.MONEY or unit.factor != 1:
        return unit
    scales = [scale_factor(segment) for segment in segments]
    return replace(unit, factor=next((each for each in scales if each), 1.0))


def _additivity(named: NameWords, dimension: Dimension | None) -> Additivity:
    if dimension is None:
        return Additivity.NEVER
    if dimension.quantity is Quantity.SHARE or named.has("never_adds_up"):
        return Additivity.NEVER
    return Additivity.NOT_OVER_TIME if named.has("not_over_time") else Additivity.FULL


def typed_columns(
    names: Sequence[str], rows: Sequence[Sequence[Any]], declared: Mapping[str, Measure]
) -> tuple[tuple[Column, ...], tuple[tuple[Cell, ...], ...]]:
    """All columns of a table, and its rows as typed values."""
    typed: list[tuple[Column, Sequence[Cell]]] = []
    for at, name in enumerate(names):
        keep_time()
        typed.append(typed_column(name, [row[at] for row in rows], declared.get(name)))
    columns = tuple(column for column, _ in typed)
    return columns, tuple(zip(*(values for _, values in typed), strict=True)) if rows else ()
