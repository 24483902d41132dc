"""Which cells hold what a figure says: by rounding, scale, percent, sign and unit."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from math import floor, inf, log10

from veridical.gate.claim import Claim, Reading
from veridical.gate.evidence.evidence import Evidence
from veridical.gate.evidence.index import Figures
from veridical.gate.evidence.sheet import Place
from veridical.gate.evidence.unit import is_currency

_NOISE = 1e-9
_PERCENT = "%"
_HUNDRED = 100.0
_LOOSE = 0.0
"""The scale of a sheet that says nothing of it, such as the lines of a text."""
_LOSING = re.compile(
    r"\b(?:loss|lost|decreas|declin|drop|fell|fall|reduc|less|lower|expens|cost|paid|pay(?:ment)?s?\b"
    r"|outflow|outlay|spen[dt]|purchas|repurchas|expenditur|deduct|negativ|minus|deficit|used|debit"
    r"|owe|capex|dividend|tax|charge|interest|verlust|verlor|abnahme|abgenommen|rückg[aä]ng|gesunken|sank"
    r"|sink|gefallen|fiel|verring|reduz|weniger|senk|aufw[aä]nd|kosten|ausgab|abfluss|abzüg|abgang"
    r"|schuld|zahl(?:last|ung)|bezahlt|haben|fehlbetrag|steuer|zins|gutschrift)"
    r"|亏损|减少|下降|降低|支出|费用|成本|付|负|亏|流出|跌|贷方|欠|税",
    re.IGNORECASE,
)
"""Words that say the sign, so that the figure beside them need not."""


@dataclass(frozen=True, slots=True)
class Window:
    """The figures of cells that one reading allows, and the scale that they must be kept in."""

    low: float
    high: float
    reading: Reading
    scale: float | None = None
    flipped: bool = False


def windows(claim: Claim, scales: Iterable[float]) -> Iterator[Window]:
    """All that the claim's readings allow, the plainest first."""
    kept = tuple(scales)
    for reading in claim.readings:
        low, high = _span(reading, claim.bound)
        yield Window(low, high, reading)
        for scale in kept:
            yield Window(low / scale, high / scale, reading, scale)
        if reading.scale != 1.0 and reading.scale not in kept:
            yield Window(low / reading.scale, high / reading.scale, reading, _LOOSE)
        if reading.unit == _PERCENT:
            yield Window(low / _HUNDRED, high / _HUNDRED, reading)
    for reading in claim.readings:
        low, high = _span(reading, claim.bound)
        if reading.value > 0:
            yield Window(-high, -low, reading, None, flipped=True)
            for scale in kept:
                yield Window(-high / scale, -low / scale, reading, scale, flipped=True)
            if reading.unit == _PERCENT:
                yield Window(-high / _HUNDRED, -low / _HUNDRED, reading, None, flipped=True)


def _span(reading: Reading, bound: str) -> tuple[float, float]:
    value = reading.value
    noise = abs(value) * _NOISE
    if bound:
        step = _natural_step(value)
        return (value + noise, value + step) if bound == "over" else (value - step, value - noise)
    reach = reading.half_step + noise
    return value - reach, value + reach


def _natural_step(value: float) -> float:
    """A unit of the last digit that is not zero: who says "over 5000" means less than 6000."""
    if not value:
        return 0.0
    digits = f"{abs(value):.6e}"
    mantissa, _, exponent = digits.partition("e")
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


@dataclass(frozen=True, slots=True)
class Hit:
    """A cell that holds what a reading says."""

    code: int
    place: Place
    reading: Reading


@dataclass(frozen=True, slots=True)
class Found:
    """The cells that match, and those that would if their unit were not another one."""

    hits: tuple[Hit, ...] = ()
    clashing: tuple[Hit, ...] = ()
    more: bool = False
    """There are more hits than were looked at."""


_MOST_HITS = 400


def find_cells(claim: Claim, evidence: Evidence, *, loss: Callable[[], bool]) -> Found:
    """The cells that the claim may rest on; figures inside text cells where no cell is one."""
    found = _search(claim, evidence, evidence.figures, loss=loss)
    if found.hits:
        return found
    inside = _search(claim, evidence, evidence.written, loss=loss)
    return inside if inside.hits or not found.clashing else found


def _search(
    claim: Claim, evidence: Evidence, figures: Figures, *, loss: Callable[[], bool]
) -> Found:
    hits: list[Hit] = []
    clashing: list[Hit] = []
    seen: set[int] = set()
    for window in windows(claim, evidence.scales):
        if window.flipped and hits and not loss():
            break
        for code in figures.between(window.low, window.high):
            if code in seen:
                continue
            place = evidence.place(code)
            if not _allowed(window, place, evidence, loss=loss):
                continue
            seen.add(code)
            hit = Hit(code, place, window.reading)
            if clashes(window.reading.unit, evidence.unit(place)):
                clashing.append(hit)
            else:
                hits.append(hit)
            if len(seen) >= _MOST_HITS:
                return Found(tuple(hits), tuple(clashing), more=True)
    return Found(tuple(hits), tuple(clashing))


def _allowed(window: Window, place: Place, evidence: Evidence, *, loss: Callable[[], bool]) -> bool:
    if window.flipped and not loss() and not _label_says_loss(place, evidence):
        return False
    if window.scale is None:
        return True
    if window.scale == _LOOSE:
        return evidence.is_loose(place.sheet)
    return evidence.scale(place) == window.scale


def _label_says_loss(place: Place, evidence: Evidence) -> bool:
    sheet = evidence.sheets[place.sheet]
    label = sheet.row_labels[place.row] if sheet.row_labels else ""
    return says_loss(f"{sheet.columns[place.column]} {label}")


def decade(value: float) -> tuple[float, float]:
    """The powers of ten below and above a figure."""
    if not value:
        return 0.0, 1.0
    low = 10.0 ** floor(log10(abs(value)))
    return (low, low * 10) if abs(value) < inf else (low, inf)
