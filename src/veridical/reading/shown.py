"""Numbers and days as each language writes them. Nothing of the data is rounded away except the
noise of floats, and the tail of fractions that have no end."""

from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any

from veridical.contracts.language import Language
from veridical.reading.period_words import month_name, shown_day, shown_year
from veridical.reading.periods import At, Period

_MOST_PLACES = 12
"""A number with more places has no end, or not a written one."""
_SHOWN_PLACES = 6
"""The shown places of one without an end."""
_NOISE = Decimal("1e-12")
"""The change by adding up floats, as a share of the sum; negligible beside the last place."""
_NEGLIGIBLE = Decimal("1e-3")
THOUSANDS = {Language.DE: "'", Language.EN: ",", Language.ZH: ","}


def count(value: Any, language: Language) -> str:
    """A whole number with its thousands set off; any other number with its places."""
    exact = _tidied(value)
    if exact is None:
        return str(value)
    return f"{exact:,.{_places(exact)}f}".replace(",", THOUSANDS[language])


def plain(value: Any) -> str:
    """A value unchanged, without thousands: a year, a key, a cell of a table. A float has neither
    noise nor an empty fraction."""
    exact = _tidied(value) if isinstance(value, float) else None
    return str(value) if exact is None else f"{exact:.{_places(exact)}f}"


def _tidied(value: Any) -> Decimal | None:
    """The intended number; None if there is none.

    Of a float, the shortest decimal within the error of adding up; of a fraction without an end,
    such as a mean, some places.
    """
    try:
        exact = Decimal(str(value))
    except InvalidOperation:
        return None
    if not exact.is_finite():
        return None
    if isinstance(value, float):
        exact = _shortest(exact)
    if _places(exact) <= _MOST_PLACES:
        return exact
    shown = max(_SHOWN_PLACES, _SHOWN_PLACES - 1 - exact.adjusted())
    return round(exact, shown)


def _shortest(exact: Decimal) -> Decimal:
    if exact == exact.to_integral_value():
        return exact  # as long as a float gets: more digits than may be rounded
    for places in range(_MOST_PLACES + 1):
        near = round(exact, places)
        noise = min(abs(exact) * _NOISE, Decimal(1).scaleb(-places) * _NEGLIGIBLE)
        if abs(near - exact) <= noise:
            return near
    return exact


def _places(exact: Decimal) -> int:
    return max(0, -int(exact.normalize().as_tuple().exponent))


def day(value: date, language: Language) -> str:
    """A day: 31.12.2025, 31 December 2025, 2025年12月31日."""
    if language is Language.DE:
        return f"{value:%d.%m.%Y}"
    return shown_day(value.year, value.month, value.day, language)


def period(value: Period, language: Language) -> str:
    """A period in a title; at its end, the day."""
    if value.at is At.END:
        return day(value.end, language)
    year = shown_year(value.start.year, language)
    if value.grain == "year":
        return year
    name = month_name(value.start.month, language)
    return f"{year}{name}" if language is Language.ZH else f"{name} {year}"
