"""Dates and periods: cells that name them, what the call asked for, years that head a column."""

from collections.abc import Iterator
from datetime import date, timedelta

from veridical.contracts.proof import Ground, Standing
from veridical.contracts.result import TimeRange
from veridical.gate.bound import Bound
from veridical.gate.claim import Claim, Days
from veridical.gate.evidence.evidence import Evidence
from veridical.gate.evidence.exhibit import Exhibit
from veridical.gate.evidence.index_days import cell_days, days_in_text, month_days, year_days
from veridical.gate.evidence.index_text import key_of
from veridical.gate.evidence.sheet import Place
from veridical.gate.evidence.spelt_days import days_spelt_in
from veridical.late_pattern import late_pattern
from veridical.ontology.terms import terms

_DAY = timedelta(days=1)
_MONTH_AND_FIGURE = late_pattern(r"[^\W\d_]{3,9}\.? (\d{1,2})")
_TIME_OF_DAY = late_pattern(r"[T ](?!00:00(?::00(?:\.0+)?)?\b)\d")
_YEAR_WORDS = frozenset({"year", "jahr", "年", "年度", "年份"})
_MONTH_WORDS = frozenset({"month", "monat", "月", "月份"})


def bind_days(claim: Claim, evidence: Evidence) -> Bound:
    """The claim with the cell or the filter that names these days."""
    for days in claim.days:
        code = _cell(days, evidence)
        if code is not None:
            return Bound(claim, Standing.GROUNDED, Ground.CELL, evidence.place(code))
    for days in claim.days:
        for exhibit in evidence.exhibits:
            said = _asked_for(days, exhibit)
            if said:
                return Bound(claim, Standing.GROUNDED, Ground.CELL, reason=said)
    place = _named(claim, evidence) or _without_year(claim, evidence) or _spelt(claim, evidence)
    place = place or _figure_of_month(claim, evidence)
    if place is not None:
        return Bound(claim, Standing.GROUNDED, Ground.CELL, place)
    return Bound(claim, Standing.UNGROUNDED)


def lies_apart(claim: Claim, evidence: Evidence) -> bool:
    """True where the evidence has days or filters for days, and none touches those of the claim."""
    filters = [span for each in evidence.exhibits for span in _filters(each)]
    if evidence.has_loose or not (filters or evidence.days.starts):
        return False
    return (
        not any(
            evidence.days.touch(days)
            or any(days.start <= span.end and span.start <= days.end for span in filters)
            for days in claim.days
        )
        and bind_days(claim, evidence).standing is not Standing.GROUNDED
    )


def _figure_of_month(claim: Claim, evidence: Evidence) -> Place | None:
    """A month and its figure, which read like a day: "January 19, February 12"."""
    told = _MONTH_AND_FIGURE.fullmatch(claim.text)
    if told is None:
        return None
    if claim.yearless is not None:
        months = {claim.yearless[0]}
    else:
        months = {days.start.month for days in claim.days}
    figure = float(told[1])
    for month in months:
        for code in evidence.days.in_month(month):
            at, row, _ = evidence.place(code)
            for column, cell in enumerate(evidence.sheets[at].rows[row]):
                if (at, column) in evidence.measure_columns and cell == figure:
                    return Place(at, row, column)
    return None


def _without_year(claim: Claim, evidence: Evidence) -> Place | None:
    """A cell with this month and day in some year, where the claim names none."""
    if claim.days or claim.yearless is None:
        return None
    first, count, day = claim.yearless
    for month in range(first, first + count):
        for code in evidence.days.in_month(month):
            place = evidence.place(code)
            if not day:
                return place
            days = cell_days(evidence.sheets[place.sheet], place.row, place.column)
            if days is not None and days.start == days.end and days.start.day == day:
                return place
    return None


def _spelt(claim: Claim, evidence: Evidence) -> Place | None:
    """A text cell that spells these days out, or some inside them: ``2014, March``."""
    years = {str(days.start.year) for days in claim.days}
    cells = evidence.cells
    for text, code in zip(cells.texts, cells.text_codes, strict=True):
        if not any(year in text for year in years):
            continue
        for spelt in days_spelt_in(text):
            if any(days.start <= spelt.start and spelt.end <= days.end for days in claim.days):
                return evidence.place(code)
    return None


def _cell(days: Days, evidence: Evidence) -> int | None:
    found = evidence.days.exactly(days)
    if not found and days.start == days.end:
        found = evidence.days.ending(days.start)
    if not found and days.start < days.end:
        found = evidence.days.within(days)
    if found:
        return found[0]
    if days == year_days(days.start.year):
        year = float(days.start.year)
        return next(iter(evidence.figures.between(year, year)), None)
    return None


def _asked_for(days: Days, exhibit: Exhibit) -> str:
    """The filter that names these days, one end of them, or something inside them."""
    points = _points(exhibit)
    for span in _filters(exhibit):
        outer = days.start <= span.start and span.end <= days.end
        point = span in points
        ends = (span.start, span.end) if point else _edges(span)
        edge = days.start == days.end and days.end in ends
        if outer or edge or days == span or (not point and _same_end(days, span)):
            return f"{span.start.isoformat()}/{span.end.isoformat()}"
    return ""


def _edges(span: Days) -> tuple[date, ...]:
    """The first and the last day; of a period that ends before a day, the day before."""
    return span.start, span.end, span.start - _DAY, span.end - _DAY


def _points(exhibit: Exhibit) -> list[Days]:
    """The days that the call asked for and no others: single ones, and periods with both ends."""
    ranges = [
        (_day(each.start), _last_day(each), each.end_excluded is not None)
        for each in exhibit.time_range
    ]
    return [
        Days(start, end)
        for start, end, exact in ranges
        if start and end and (exact or start == end)
    ]


def _last_day(told: TimeRange) -> date | None:
    """The last day of a period; one that ends before a day ends on the day before."""
    end = _day(told.end)
    whole = told.end is not None and _TIME_OF_DAY.search(told.end) is None
    return end - _DAY if end and told.end_excluded and whole else end


def _same_end(days: Days, span: Days) -> bool:
    """A period of which only the last day was asked for."""
    return span.start == span.end and days.end in (span.end, span.end - _DAY)


def _filters(exhibit: Exhibit) -> Iterator[Days]:
    for each in exhibit.time_range:
        start, end = _day(each.start), _last_day(each)
        if start or end:
            yield Days(start or end or date.min, end or start or date.max)
    year = month = 0
    for name, value in exhibit.held.items():
        words = set(terms(name))
        if isinstance(value, date):
            yield Days(value, value)
        elif isinstance(value, str) and (days := days_in_text(value)) is not None:
            yield days
        elif isinstance(value, int | str) and str(value).isdecimal():
            if words & _YEAR_WORDS:
                year = int(value)
            elif words & _MONTH_WORDS:
                month = int(value)
    if date.min.year <= year <= date.max.year:
        yield month_days(year, month) if 1 <= month <= 12 else year_days(year)


def _day(text: str | None) -> date | None:
    days = days_in_text(text) if text else None
    return days.start if days else None


def _named(claim: Claim, evidence: Evidence) -> Place | None:
    """A text cell or a column's name with the words of the claim, or with its year."""
    key = key_of(claim.text)
    code = evidence.texts.holding(key)
    if code is not None:
        return evidence.place(code)
    years = {str(days.start.year) for days in claim.days if days == year_days(days.start.year)}
    for at, sheet in enumerate(evidence.sheets):
        for column, name in enumerate(sheet.columns):
            words = key_of(name).split()
            if sheet.rows and (years & set(words) or f" {key} " in f" {' '.join(words)} "):
                return Place(at, 0, column)
        for row, label in enumerate(sheet.row_labels):
            if key in key_of(label):
                return Place(at, row, 0)
    return None
