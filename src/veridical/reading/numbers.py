"""A text that should be one figure: the cell of a table, the value of a field."""

from veridical.late_pattern import late_pattern
from veridical.reading.after import after
from veridical.reading.before import before
from veridical.reading.figure import DIGITS, Digits, Reading, read_digits
from veridical.reading.number_words import HAN_NUMERAL, read_han
from veridical.reading.units import UNSURE_SCALES

_FIGURE = late_pattern(rf"(?<![0-9])\.[0-9]+(?![0-9.,])|{DIGITS}")
_CENTS = late_pattern(r"\.?[-–—―]{1,2}")
_NOTES = "*†‡¹²³⁴⁵ "
_LONGEST = 40


def read_figure(text: str) -> tuple[Reading, ...]:
    """All readings of the figure that the text is; none if it is not one figure."""
    figure = " ".join(text.split()).rstrip(_NOTES)
    if not figure or len(figure) > _LONGEST:
        return ()
    negative = False
    if "(" in figure and figure.endswith((")", ")%", ") %")):
        figure, negative = figure.replace("(", "").replace(")", ""), True
    match = _FIGURE.search(figure)
    if match is None:
        return _han_figure(figure)
    digits = read_digits(match[0])
    lead = before(figure, match.start())
    cents = _CENTS.match(figure, match.end())
    end = cents.end() if cents is not None else match.end()
    tail = after(figure, end, currency=bool(lead.unit))
    if not digits or lead.start > 0 or max(end, tail.end) < len(figure):
        return ()
    if cents is not None and cents[0][0] != ".":
        negative = True
    if cents is not None and not negative:
        digits = ((digits[0][0], 0.005),)
    unit = tail.unit if tail.unit == "%" else lead.unit or tail.unit
    scales = (1.0, tail.scale) if tail.unsure else (tail.scale,)
    return read_scaled(digits, scales, unit, tail.factor, negative=negative or lead.negative)


def read_scaled(
    digits: tuple[Digits, ...],
    scales: tuple[float, ...],
    unit: str = "",
    factor: float = 1.0,
    *,
    negative: bool = False,
) -> tuple[Reading, ...]:
    """The digits in full, once for each possible scale."""
    found: list[Reading] = []
    for scale in scales:
        by = -scale * factor if negative else scale * factor
        # a letter that is either a scale or a unit: as a scale it leaves no unit
        name = "" if scale != 1.0 and unit in UNSURE_SCALES else unit
        for value, half in digits:
            if by == 1.0:
                found.append(Reading(value, half, name, scale))
            else:
                found.append(Reading(undusted(value * by), half * abs(by), name, scale))
    return tuple(found)


def undusted(value: float) -> float:
    """Without the dust of a binary product: 1.1 million is 1100000."""
    return round(value, 9 if abs(value) < 1e6 else 4)


def _han_figure(figure: str) -> tuple[Reading, ...]:
    match = HAN_NUMERAL.match(figure)
    if match is None:
        return ()
    digits = read_han(match[0])
    tail = after(figure, match.end())
    if digits is None or tail.end < len(figure):
        return ()
    return read_scaled((digits,), (tail.scale,), tail.unit, tail.factor)
