"""Which cells hold what a figure says: by rounding, scale, percent, sign and unit."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from veridical.contracts.proof import ClaimKind
from veridical.gate.claim import Claim, Reading
from veridical.gate.evidence.evidence import Evidence
from veridical.gate.evidence.index import Figures
from veridical.gate.evidence.sheet import Place
from veridical.gate.evidence.unit import is_currency
from veridical.late_pattern import late_pattern
from veridical.reading.before import OVER

_NOISE = 1e-13
_EDGE = 1e-6
"""What a value exactly between two digits may lie beyond half a step, as floats have it."""
_PERCENT = "%"
_HUNDRED = 100.0
_LOOSE = 0.0
"""The scale of a sheet that says nothing of it, such as the lines of a text."""
_MOST_HITS = 400
_LOSING = late_pattern(
    r"\b(?:loss|lost|decreas|declin|drop|fell|fall|reduc|less|lower|expens|cost|paid|payments?\b"
    r"|outflow|outlay|spen[dt]|purchas|repurchas|expenditur|deduct|negativ|minus|deficit|used|owe"
    r"|debit|capex|dividend|tax|charge|interest|verlust|verlor|abnahme|abgenommen|rückg[aä]ng|sank"
    r"|gesunken|sink|gefallen|fiel|verring|reduz|weniger|senk|aufw[aä]nd|kosten|ausgab|abfluss"
    r"|abzüg|abgang|schuld|zahl(?:last|ung)|bezahlt|haben|fehlbetrag|steuer|zins|gutschrift)"
    r"|亏损|减少|下降|降低|支出|费用|成本|付|负|亏|流出|跌|贷方|欠|税",
    re.IGNORECASE,
)
"""Words that say the sign, so that the figure beside them need not."""
_LOST = late_pattern(
    r"\b(?:loss|decreas|declin|drop|reduction|deficit|verlust|abnahme|rückgang|minder)|亏损|减少|下降",
    re.IGNORECASE,
)
"""Names of columns whose figures are losses, so that an answer may give them a minus."""
_UNMEASURED = frozenset({ClaimKind.NUMBER, ClaimKind.COUNT})


class Window(NamedTuple):
    """The figures of cells that one reading allows, and the scale that they must be kept in."""

    low: float
    high: float
    reading: Reading
    scale: float | None = None


class Hit(NamedTuple):
    """A cell that holds what a reading says."""

    place: Place
    reading: Reading


@dataclass(slots=True)
class Found:
    """The cells that match, and those that would with another unit or another sign."""

    hits: list[Hit]
    against: list[Hit]


def windows(claim: Claim, scales: Iterable[float] = ()) -> Iterator[Window]:
    """All that the claim's readings allow, the plainest first."""
    for reading in claim.readings:
        low, high = _span(reading, claim.bound)
        yield Window(low, high, reading)
        for scale in scales:
            yield Window(low / scale, high / scale, reading, scale)
        if reading.scale != 1.0 and reading.scale not in scales:
            yield Window(low / reading.scale, high / reading.scale, reading, _LOOSE)
        if reading.unit == _PERCENT:
            yield Window(low / _HUNDRED, high / _HUNDRED, reading)


def _span(reading: Reading, bound: str) -> tuple[float, float]:
    value = reading.value
    noise = abs(value) * _NOISE
    if bound:
        step = _natural_step(value)
        # "at least" and "up to" include the limit itself, and "over" is often said of it
        return (value - noise, value + step) if bound == OVER else (value - step, value + noise)
    reach = reading.half_step * (1 + _EDGE) + noise
    return value - reach, value + reach


def _natural_step(value: float) -> float:
    """A unit of the last digit that is not zero: who says "over 5000" means less than 6000."""
    if not value:
        return 0.0
    mantissa, _, exponent = f"{abs(value):.6e}".partition("e")
    shown = mantissa.rstrip("0").rstrip(".")
    places = len(shown) - 2 if "." in shown else 0
    return 10.0 ** (int(exponent) - places)


def says_loss(text: str) -> bool:
    """True where words say that a figure is to be taken away, so that it may lack its sign."""
    return _LOSING.search(text) is not None


def clashes(stated: str, kept: str) -> bool:
    """True for units that can't be of one figure: two currencies, a currency and a percentage."""
    if not stated or not kept or stated == kept:
        return False
    if is_currency(stated):
        return is_currency(kept) or kept == _PERCENT
    return stated == _PERCENT and is_currency(kept)


def find_cells(
    claim: Claim, evidence: Evidence, figures: Figures, loss: Callable[[], bool]
) -> Found:
    """The cells that the claim may rest on; ``loss`` tells whether its words say the sign."""
    found = Found([], [])
    allowed = list(windows(claim, evidence.scales))
    for window in allowed:
        _look(window, window.low, window.high, evidence, figures, found)
    has_negative = bool(figures.values) and figures.values[0] < 0
    for window in allowed:
        if (has_negative or window.high < 0) and figures.any_between(-window.high, -window.low):
            _look_across(window, evidence, figures, found, loss)
    if len(found.hits) > 1 or claim.kind not in _UNMEASURED:
        found.hits = _measured_first(claim, found.hits, evidence)
    if found.against:
        columns = evidence.measure_columns
        found.against = [
            hit for hit in found.against if (hit.place.sheet, hit.place.column) in columns
        ]
    return found


def _measured_first(claim: Claim, hits: list[Hit], evidence: Evidence) -> list[Hit]:
    """An amount is no year and no account; a bare number is one only if it is nothing else."""
    columns = evidence.measure_columns
    measured = [hit for hit in hits if (hit.place.sheet, hit.place.column) in columns]
    if claim.kind not in _UNMEASURED:
        return measured
    return [*measured, *(hit for hit in hits if hit not in measured)]


def _look(
    window: Window, low: float, high: float, evidence: Evidence, figures: Figures, found: Found
) -> None:
    unit = window.reading.unit
    for code in figures.between(low, high)[:_MOST_HITS]:
        place = evidence.place(code)
        if window.scale is None or _is_kept_in(window.scale, place, evidence):
            clash = unit and clashes(unit, evidence.unit(place))
            (found.against if clash else found.hits).append(Hit(place, window.reading))


def _look_across(
    window: Window,
    evidence: Evidence,
    figures: Figures,
    found: Found,
    loss: Callable[[], bool],
) -> None:
    """Cells of the other sign: words may say it instead, but nobody adds a minus for nothing."""
    other = Found([], [])
    _look(window, -window.high, -window.low, evidence, figures, other)
    told = loss()
    for hit in other.hits:
        names = _LOSING if window.low > 0 else _LOST
        bracketed = window.low > 0 and evidence.sheets[hit.place.sheet].report
        said = bracketed or (told and window.low > 0) or names.search(_label(hit.place, evidence))
        (found.hits if said else found.against).append(hit)


def _is_kept_in(scale: float, place: Place, evidence: Evidence) -> bool:
    if scale == _LOOSE:
        return evidence.is_loose(place.sheet)
    return evidence.scale(place) == scale


def _label(place: Place, evidence: Evidence) -> str:
    sheet = evidence.sheets[place.sheet]
    label = sheet.row_labels[place.row] if sheet.row_labels else ""
    return f"{sheet.columns[place.column]} {label}"
