"""The times in a question as calendar days, with those relative to today resolved.

Nothing is assumed. A year alone is that whole year, never its end; words before or after a
period ("until", "before", "early") stay in the text for others to account for.
"""

import re
from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from veridical.contracts.language import Language
from veridical.ontology.model import PeriodKind
from veridical.reading.period_words import CUES, MONTH_NUMBERS, QUARTER_NUMBERS, RULES


class At(StrEnum):
    """The relation of a question to its period."""

    DURING = "during"
    END = "end"
    SINCE = "since"


@dataclass(frozen=True, slots=True)
class Period:
    """From the first to the last day; at its end, only the last day counts."""

    grain: str
    start: date
    end: date
    at: At

    def fits(self, kind: PeriodKind) -> bool:
        """True if this is the pattern's kind of time."""
        match kind:
            case PeriodKind.YEAR | PeriodKind.MONTH:
                return self.at is At.DURING and self.grain == kind.value.lower()
            case PeriodKind.SINCE_YEAR:
                return self.at is At.SINCE and self.grain == "year"
            case PeriodKind.DAY:
                return self.at is At.END
            case PeriodKind.YEAR_END:
                return self.at is At.END and self.ends_year
            case PeriodKind.MONTH_END:
                return self.at is At.END and self.ends_month and not self.ends_year

    def has_come(self, today: date) -> bool:
        """False while the period, or the day that counts, lies in the future."""
        return (self.end if self.at is At.END else self.start) <= today

    @property
    def ends_year(self) -> bool:
        """True when the last day is New Year's Eve."""
        return (self.end.month, self.end.day) == (12, 31)

    @property
    def ends_month(self) -> bool:
        """True when the last day is the last of its month."""
        return self.end.day == monthrange(self.end.year, self.end.month)[1]


@dataclass(frozen=True, slots=True)
class FoundPeriod:
    """A period and its place in the text."""

    begin: int
    stop: int
    period: Period


def find_periods(text: str, language: Language, today: date) -> list[FoundPeriod]:
    """All periods in a lower-case text, in order, without invalid dates."""
    return sorted(_found(text, language, today), key=lambda each: each.begin)


def _found(text: str, language: Language, today: date) -> Iterator[FoundPeriod]:
    left, cue = text, CUES[language]
    if cue.search(left) is None:
        return
    for grain, at, expression in RULES[language]:
        for match in expression.finditer(left):
            period = _resolved(match, grain, At(at), today)
            if period is None:
                continue
            yield FoundPeriod(match.start(), match.end(), period)
            left = _masked(left, match)
            if cue.search(left) is None:
                return


def at_end(period: Period) -> Period:
    """The same period, of which only the last day counts."""
    return Period(period.grain, period.start, period.end, At.END)


def _masked(text: str, match: re.Match[str]) -> str:
    return text[: match.start()] + "\0" * (match.end() - match.start()) + text[match.end() :]


def _resolved(match: re.Match[str], grain: str, at: At, today: date) -> Period | None:
    parts = {name.rstrip("23"): value for name, value in match.groupdict().items() if value}
    if "today" in parts:
        return Period("day", today, today, At.END)
    if "lastmonth" in parts:
        last = today.replace(day=1) - timedelta(days=1)
        return Period("month", last.replace(day=1), last, at)
    try:
        start, end = _days(grain, _year(parts, today), parts)
    except ValueError:
        return None
    return Period(grain, start, end, at)


def _year(parts: dict[str, str], today: date) -> int:
    if "last" in parts:
        return today.year - 1
    if "this" in parts:
        return today.year
    year = int(parts["y"])
    return year + 2000 if year < 100 else year


def _days(grain: str, year: int, parts: dict[str, str]) -> tuple[date, date]:
    match grain:
        case "year":
            return date(year, 1, 1), date(year, 12, 31)
        case "quarter":
            last = _number(parts["q"], QUARTER_NUMBERS) * 3
            return date(year, last - 2, 1), _month_end(year, last)
        case "month":
            month = _number(parts["m"], MONTH_NUMBERS)
            return date(year, month, 1), _month_end(year, month)
        case _:
            day = date(year, _number(parts["m"], MONTH_NUMBERS), int(parts["d"]))
            return day, day


def _month_end(year: int, month: int) -> date:
    return date(year, month, monthrange(year, month)[1])


def _number(text: str, names: dict[str, int]) -> int:
    return int(text) if text.isdigit() else names[text.rstrip(".")]
