"""The figures and times of a text, for readers other than the prover."""

from calendar import monthrange
from datetime import date
from typing import NamedTuple

from veridical.contracts.language import Language
from veridical.contracts.proof import ClaimKind
from veridical.evidence.moment import Moment, find_moments
from veridical.gate.languages.vocabulary import vocabulary
from veridical.gate.text.figures import Figure, find_figures
from veridical.late_pattern import late_pattern
from veridical.reading.figure import Reading
from veridical.reading.language import language_of

PERCENT = "%"
_CODE = late_pattern(r"(?<![\w-])[^\W\d]\w*(?:-\w*\d\w*)+")
"""An identifier with digits: an invoice's number."""
_MONTHS = 12
_OF_QUARTER, _OF_HALF = 3, 6


class Days(NamedTuple):
    """A day or a period: its first and last day."""

    start: date
    end: date


class Mention(NamedTuple):
    """One figure or time. Figures have readings; times have days where they name a year."""

    kind: ClaimKind
    text: str
    start: int
    end: int
    readings: tuple[Reading, ...] = ()
    days: Days | None = None
    mark: str = ""
    """``about``, ``over`` or ``under``, from the words beside a figure."""


def mentions(text: str, language: Language | None = None) -> tuple[Mention, ...]:
    """Every figure and every time of a text, in order."""
    times = find_moments(text)
    words = vocabulary(language or language_of(text, Language.EN))
    taken = [(each.start, each.end) for each in times]
    taken += [match.span() for match in _CODE.finditer(text)]
    figures = find_figures(text, words, taken)
    found = [_of_figure(each, text) for each in figures]
    for each in times:
        kind = ClaimKind.PERIOD if each.moment.day is None else ClaimKind.DATE
        wording = text[each.start : each.end]
        found.append(Mention(kind, wording, each.start, each.end, days=days_of(each.moment)))
    return tuple(sorted(found, key=lambda each: each.start))


def is_currency(unit: str) -> bool:
    """True for a code such as CHF."""
    return len(unit) == 3 and unit.isascii() and unit.isupper()


def days_of(moment: Moment) -> Days | None:
    """The days that a time covers; none where it leaves the year open."""
    year, day = moment.year, moment.as_day
    if day is not None:
        return Days(day, day)
    if year is None or moment.day is not None:
        return None
    if moment.week is not None:
        try:
            return Days(*(date.fromisocalendar(year, moment.week, at) for at in (1, 7)))
        except ValueError:
            return None
    first, last = _months(moment)
    return Days(date(year, first, 1), date(year, last, monthrange(year, last)[1]))


def _months(moment: Moment) -> tuple[int, int]:
    if moment.month is not None:
        return moment.month, moment.month
    for part, many in ((moment.quarter, _OF_QUARTER), (moment.half, _OF_HALF)):
        if part is not None:
            return (part - 1) * many + 1, part * many
    return 1, _MONTHS


def _of_figure(figure: Figure, text: str) -> Mention:
    wording, units = text[figure.start : figure.end], {each.unit for each in figure.readings}
    kind = ClaimKind.NUMBER
    if PERCENT in units:
        kind = ClaimKind.PERCENT
    elif any(map(is_currency, units)):
        kind = ClaimKind.AMOUNT
    return Mention(kind, wording, figure.start, figure.end, figure.readings, mark=figure.mark)
