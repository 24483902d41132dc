"""A figure's readings: the possible meanings of digits and separators in all countries."""

import re
from typing import NamedTuple

from veridical.late_pattern import late_pattern


class Reading(NamedTuple):
    """One way to read a figure: its value in full, and its written precision."""

    value: float
    """``12,5 Mio.`` is 12500000; ``12.5 %`` is 12.5; 25 basis points are 0.25 (unit ``%``)."""
    half_step: float = 0.0
    """Half a unit of the last digit shown, in the same measure: 50000 for ``12,5 Mio.``."""
    unit: str = ""
    """ISO code of a currency, ``%``, or the unit as written; empty for a bare number."""
    scale: float = 1.0
    """The factor of a scale word: the evidence may be kept in that scale."""


Digits = tuple[float, float]
"""A value and half a unit of its last digit."""

SPACE = "[ \u00a0\u202f\u2009]"
DIGITS = (
    rf"[0-9](?:[0-9]{{0,2}}(?:{SPACE}[0-9]{{3}})+(?![0-9])(?:[.,][0-9]+)?"
    r"|[0-9]*(?:[.,'’][0-9]+)*)"
)
"""A figure's digits with all that may stand between them; the first alone is found fastest."""

LARGEST = 1e100
"""Larger numbers count nothing: they are keys, or nonsense, and their products overflow."""
_LONG = 100

_FORMS = late_pattern(
    r"""(?P<comma_groups>[1-9][0-9]{0,2}(?:,[0-9]{3})+)(?:\.(?P<decimals>[0-9]+))?\Z
    |(?P<point_groups>[1-9][0-9]{0,2}(?:\.[0-9]{3})+)(?:,(?P<decimals2>[0-9]+))?\Z
    |(?P<decimal>[0-9]*[.,](?P<decimals3>[0-9]+))\Z
    |(?P<blank_groups>[0-9]{1,3}(?:[ \u00a0\u202f\u2009'’][0-9]{3})+)
        (?:[.,](?P<decimals4>[0-9]+))?\Z""",
    re.VERBOSE,
)
_BLANKS = late_pattern("[ \u00a0\u202f\u2009'’.,]")
_HALVES = tuple(0.5 * 10.0**-places for places in range(20))


def read_digits(text: str) -> tuple[Digits, ...]:
    """All possible readings of the digits, the likeliest first; none if they are no one number."""
    found = _readings(text)
    if len(text) > _LONG:
        return tuple(each for each in found if each[0] < LARGEST)
    return found


def _readings(text: str) -> tuple[Digits, ...]:
    if text.isdecimal():
        return ((float(text), 0.5),)
    match = _FORMS.match(text)
    if match is None:
        return ()
    commas, decimals, points, decimals2, decimal, decimals3, blanks, decimals4 = match.groups()
    if decimal is not None:
        return (_with_decimals(decimal.replace(",", "."), decimals3),)
    if blanks is not None:
        return (_joined(_BLANKS.sub("", blanks), decimals4),)
    grouped, sign = (commas, ",") if commas is not None else (points, ".")
    part = decimals if sign == "," else decimals2
    joined = _joined(grouped.replace(sign, ""), part)
    if part is not None or grouped.count(sign) > 1:
        return (joined,)
    pointed = _with_decimals(grouped.replace(",", "."), grouped[-3:])
    return (joined, pointed) if sign == "," else (pointed, joined)


def _joined(whole: str, decimals: str | None) -> Digits:
    if decimals is None:
        return float(whole), 0.5
    return _with_decimals(f"{whole}.{decimals}", decimals)


def _with_decimals(text: str, decimals: str) -> Digits:
    places = len(decimals)
    return float(text), _HALVES[places] if places < len(_HALVES) else 0.0
