"""Whether a call covers a period: by its conditions, or by the periods in its rows."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from veridical.answering.coverage.call import Coverage, Pick, ReadCall, describe_picks
from veridical.answering.coverage.period_mention import SPAN, PeriodMention
from veridical.answering.coverage.span import Span, spans_of
from veridical.ontology.catalog import ColumnCard
from veridical.ontology.model import OntologyDescriptor, Role, SemanticType
from veridical.reading.periods import At, Period
from veridical.reading.stored import stored_date

_HAPPENS = frozenset({SemanticType.TRANSACTION, SemanticType.EVENT})
_DAY = timedelta(days=1)
_WHOLE_YEAR = 0
_LAST_MONTH = 12


@dataclass(frozen=True, slots=True)
class Calendar:
    """The time columns of an ontology: those for years and for months, by name."""

    years: frozenset[str]
    months: frozenset[str]
    events: frozenset[str]
    """The entities whose rows happen at a time."""
    coded: frozenset[str]
    """The columns that hold codes, by name."""

    def is_day(self, column: ColumnCard) -> bool:
        """True for a column that holds days."""
        return column.type.is_temporal or column.encoding is not None

    def is_time(self, column: ColumnCard) -> bool:
        """True for a column of years, months or days."""
        return column.name in self.years | self.months or self.is_day(column)

    def reads_plainly(self, call: ReadCall) -> bool:
        """True when all conditions are on closed lists and codes: none of them hides a period."""
        return all(
            pick.values and (pick.column.allowed_texts is not None or pick.column.name in known)
            for known in [self.coded | self.years | self.months]
            for pick in call.picks
            if pick.column.role is not Role.TENANT
        )


def calendar_of(ontology: OntologyDescriptor, coded: frozenset[str]) -> Calendar:
    """The calendar columns of an ontology."""

    def grained(grain: str) -> frozenset[str]:
        fields = (field for entity in ontology.entities for field in entity.fields)
        return frozenset(each.column or each.name for each in fields if each.grain == grain)

    events = (each.name for each in ontology.entities if each.semantic_type in _HAPPENS)
    return Calendar(grained("year"), grained("month"), frozenset(events), coded)


def period_coverage(mention: PeriodMention, call: ReadCall, calendar: Calendar) -> Coverage:
    """The coverage of a period by a call."""
    if not any(calendar.is_time(column) for column in call.columns):
        entities = {table.entity for table in call.tables}
        happens = bool(entities & calendar.events) and calendar.reads_plainly(call)
        return Coverage.OTHER if happens and mention.is_narrow else Coverage.ABSENT
    return Coverage.COVERED if _CallTimes(call, calendar).covers(mention) else Coverage.OTHER


def describe_times(call: ReadCall, calendar: Calendar) -> str:
    """The times of a call in one line."""
    return _CallTimes(call, calendar).describe()


def are_parts(mention: PeriodMention, calls: Sequence[ReadCall], calendar: Calendar) -> bool:
    """True when the calls together give several parts of the requested year."""
    if mention.period.grain != "year":
        return False
    times = [_CallTimes(call, calendar) for call in calls]
    months = [each.months or set() for each in times if each.has_year(mention.period)]
    return len(set[int]().union(*months)) > 1


class _CallTimes:
    """The times that one call covers."""

    def __init__(self, call: ReadCall, calendar: Calendar) -> None:
        self._call = call
        self._calendar = calendar
        self._picks = tuple(pick for pick in call.picks if calendar.is_time(pick.column))
        self._years = _limited(call.picks_on(calendar.years), _year)
        by_day = [pick for pick in self._picks if calendar.is_day(pick.column)]
        self._days = _limited(by_day, None)
        self._unclear = any(pick.op == "within" or not pick.values for pick in self._picks)
        self.months = self._admitted_months()

    def covers(self, mention: PeriodMention) -> bool:
        """True unless the call is clearly about another time."""
        if self._unclear or self._years is None or self._days is None:
            return True
        if not mention.is_narrow and not self._picks:
            return True
        return self.has_year(mention.period) and self._has_part(mention)

    def has_year(self, period: Period) -> bool:
        """True when the call may cover the period's year."""
        if self._days:
            return _meets(self._days, _days_of(period))
        wanted = _years_of(period)
        if self._years:
            return _meets(self._years, wanted)
        shown = [_key_or_none(cell) for cell in self._call.cells(self._calendar.years)]
        known = [each for each in shown if each]
        if known:
            return any(wanted.meets(Span(each, each)) for each in known)
        return not self._is_timeless()

    def describe(self) -> str:
        """The call's times in one line."""
        if self._picks:
            return describe_picks(_readable(pick, self._calendar) for pick in self._picks)
        years = sorted({str(cell) for cell in self._call.cells(self._calendar.years)})
        return ", ".join(years[:5])

    def _has_part(self, mention: PeriodMention) -> bool:
        """True when the call may cover this part of the year, or the year as a whole."""
        period = mention.period
        if self._days or period.grain == SPAN:
            return True
        if self.months is None:
            return period.grain == "year" or self._may_hold(period)
        if period.grain != "year":
            return self._has_month(period)
        if self.months == {_LAST_MONTH}:
            return period.at is At.END or self._ends_alike() or mention.names_months
        return len(self.months) != 1 or _WHOLE_YEAR in self.months or mention.names_months

    def _may_hold(self, period: Period) -> bool:
        """True when a call that names no month may still cover a part of the year."""
        if not self._years or not self._call.source.rows or self._shows_parts():
            return True
        opens = period.grain == "day" and (period.start.month, period.start.day) == (1, 1)
        return opens or (period.at is At.END and period.ends_year)

    def _has_month(self, period: Period) -> bool:
        months = self.months or set()
        wanted = range(period.start.month, period.end.month + 1)
        if period.at is At.END:
            wanted = range(period.end.month, period.end.month + 1)
        if period.grain == "day" and period.start.day == 1:  # opens with what closed the day before
            wanted = range(_WHOLE_YEAR, period.end.month + 1)
        if months.intersection(wanted):
            return True
        return _WHOLE_YEAR in months and period.at is At.END and period.ends_year

    def _admitted_months(self) -> set[int] | None:
        """The months that its conditions or its rows have; none where they have no month."""
        columns = self._calendar.months
        spans = spans_of(self._call.picks_on(columns), _month)
        if spans is None:
            return None
        if spans:
            every = range(_WHOLE_YEAR, _LAST_MONTH + 1)
            return {each for each in every if _meets(spans, Span(_month(each, 0), _month(each, 0)))}
        shown = {cell for cell in self._call.cells(columns) if isinstance(cell, int)}
        return shown or None

    def _shows_parts(self) -> bool:
        """True when the rows or a condition separate parts of a year in some other way."""
        call = self._call
        if any(each.name in call.shown and self._calendar.is_time(each) for each in call.columns):
            return True
        return not self._calendar.reads_plainly(call)

    def _ends_alike(self) -> bool:
        """True unless all figures are of what happened within the period."""
        figures = [term.origin.column for each in self._call.aggregates for term in each.terms]
        figures += [each for each in self._call.columns if each.name in self._call.source.columns]
        flows = [each for each in figures if each.same_unit is not None]
        return not flows or any(each.semi_additive is not None for each in flows)

    def _is_timeless(self) -> bool:
        """True for a total over all times of what happens in time."""
        happens = any(table.entity in self._calendar.events for table in self._call.tables)
        return happens and not self._picks and not self._shows_parts()


def _limited(picks: Iterable[Pick], key: Any) -> tuple[Span, ...] | None:
    if key is not None:
        return spans_of(picks, key)
    found: list[Span] = []
    by_column: dict[str, list[Pick]] = {}
    for pick in picks:
        by_column.setdefault(f"{pick.use}.{pick.column.name}", []).append(pick)
    for each in by_column.values():
        spans = spans_of(each, _day_key(each[0].column))
        if spans is None:
            return None
        found += spans
    return tuple(found)


def _meets(spans: Iterable[Span], wanted: Span) -> bool:
    return any(span.meets(wanted) for span in spans)


def _years_of(period: Period) -> Span:
    first = period.start.year
    if period.grain == "day" and (period.start.month, period.start.day) == (1, 1):
        first -= 1  # the first of January opens with what closed the year before
    last = 9999 if period.at is At.SINCE else period.end.year
    return Span(f"{first:04d}", f"{last:04d}")


def _days_of(period: Period) -> Span:
    """With a day on either side: "before the 1st" and "up to the 31st" are the same."""
    last = date.max if period.at is At.SINCE else period.end + _DAY
    return Span((period.start - _DAY).isoformat(), last.isoformat())


def _year(value: Any, step: int) -> str:
    return f"{int(value) + step:04d}"


def _month(value: Any, step: int) -> str:
    return f"{int(value) + step:02d}"


def _key_or_none(value: Any) -> str:
    try:
        return _year(value, 0)
    except (ValueError, TypeError):
        return ""


def _day_key(column: ColumnCard) -> Any:
    def key(value: Any, step: int) -> str:
        return (_day(value, column) + step * _DAY).isoformat()

    return key


def _day(value: Any, column: ColumnCard) -> date:
    if column.encoding is not None:
        return stored_date(value, column.encoding)
    return date.fromisoformat(str(value)[:10])


def _readable(pick: Pick, calendar: Calendar) -> Pick:
    """The comparison with its days as a calendar writes them."""
    if not calendar.is_day(pick.column):
        return pick
    try:
        days = tuple(_day(value, pick.column).isoformat() for value in pick.values)
    except (ValueError, TypeError, OverflowError, OSError):
        return pick
    return Pick(pick.use, pick.column, pick.op, days)
