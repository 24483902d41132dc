"""A figure's readings: what digits and separators may mean, however a country writes them."""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a figure: its value in full, and how exactly it was written."""

    value: float
    """``12,5 Mio.`` is 12500000; ``12.5 %`` is 12.5; 25 basis points are 0.25 (unit ``%``)."""
    half_step: float = 0.0
    """Half a unit of the last digit shown, in the same measure: 50000 for ``12,5 Mio.``."""
    unit: str = ""
    """ISO code of a currency, ``%``, or the unit as written; empty for a bare number."""
    scale: float = 1.0
    """What a scale word multiplied by: the evidence may be kept in that scale."""


Digits = tuple[float, float]
"""A value and half a unit of its last digit."""

SPACE = "[ \u00a0\u202f\u2009]"
DIGITS = rf"[0-9]{{1,3}}(?:{SPACE}[0-9]{{3}})+(?![0-9])(?:[.,][0-9]+)?|[0-9]+(?:[.,'’][0-9]+)*"
"""A figure's digits with all that may stand between them."""

_BLANKS = re.compile("[ \u00a0\u202f\u2009'’]")
_GROUPED_BY_BLANK = re.compile(r"[0-9]{1,3}(?:[ \u00a0\u202f\u2009'’][0-9]{3})+(?:[.,][0-9]+)?")
_GROUPED = re.compile(r"[1-9][0-9]{0,2}(?:[.,][0-9]{3})+")
_HALVES = tuple(0.5 * 10.0**-places for places in range(20))
_GROUP = 3


def read_digits(text: str) -> tuple[Digits, ...]:
    """All that the digits may say, the likeliest first; nothing when they are no one number."""
    if text.isdigit():
        return ((float(text), 0.5),)
    if not text[0].isdigit():
        return (_decimal("0" + text.replace(",", "."), "."),)
    if _BLANKS.search(text):
        if not _GROUPED_BY_BLANK.fullmatch(text):
            return ()
        text = _BLANKS.sub("", text)
        if text.isdigit():
            return ((float(text), 0.5),)
        return (_decimal(text, "," if "," in text else "."),)
    return _pointed(text)


def _pointed(text: str) -> tuple[Digits, ...]:
    commas, points = text.count(","), text.count(".")
    if commas and points:
        return _both_signs(text, commas, points)
    sign, many = (",", commas) if commas else (".", points)
    grouped = _GROUPED.fullmatch(text) is not None
    if many > 1:
        return ((float(text.replace(sign, "")), 0.5),) if grouped else ()
    decimal = _decimal(text, sign)
    if not grouped:
        return (decimal,)
    whole = (float(text.replace(sign, "")), 0.5)
    return (whole, decimal) if sign == "," else (decimal, whole)


def _both_signs(text: str, commas: int, points: int) -> tuple[Digits, ...]:
    point = "," if text.rindex(",") > text.rindex(".") else "."
    group = "." if point == "," else ","
    if (commas if point == "," else points) > 1:
        return ()
    whole = text[: text.index(point)]
    if not _GROUPED.fullmatch(whole):
        return ()
    return (_decimal(text.replace(group, ""), point),)


def _decimal(text: str, point: str) -> Digits:
    places = len(text) - 1 - text.index(point)
    value = float(text.replace(",", ".") if point == "," else text)
    return value, _HALVES[places] if places < len(_HALVES) else 0.0
