"""Exchange rates of the synthetic books: francs per unit at each month's end.

Rates are straight lines between year ends, close to the real ones; integers in ten-thousandths
keep every conversion exact and repeatable.
"""

from typing import Literal

Foreign = Literal["EUR", "USD"]
FOREIGN: tuple[Foreign, ...] = ("EUR", "USD")

SCALE = 10_000
FIRST_YEAR = 2019
_YEAR_ENDS: dict[Foreign, tuple[int, ...]] = {
    "EUR": (11270, 10870, 10810, 10370, 9880, 9300, 9390, 9320),
    "USD": (9830, 9670, 8850, 9120, 9250, 8420, 9060, 7930),
}
"""The first value is the end of the year before the first."""
YEARS: tuple[int, ...] = tuple(range(FIRST_YEAR, FIRST_YEAR + len(_YEAR_ENDS["EUR"]) - 1))
"""The years for which books can be made."""


def rate(currency: Foreign, year: int, month: int) -> int:
    """Ten-thousandths of a franc for one unit at the end of this month."""
    before, after = _YEAR_ENDS[currency][year - FIRST_YEAR : year - FIRST_YEAR + 2]
    return before + (after - before) * month // 12


def in_francs(cents: int, rate: int) -> int:
    """A foreign amount in Swiss cents, rounded half up, the sign kept."""
    converted = (abs(cents) * rate + SCALE // 2) // SCALE
    return converted if cents >= 0 else -converted
