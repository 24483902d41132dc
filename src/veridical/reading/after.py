"""The part after a figure's digits: scale, percent, currency, unit, or just a word."""

from typing import NamedTuple

from veridical.late_pattern import late_pattern
from veridical.reading.units import (
    CURRENCIES,
    CURRENCY_SIGNS,
    HAN_CURRENCIES,
    HAN_SCALES,
    HAN_UNITS,
    PERCENTS,
    SCALES,
    UNITS,
    UNSURE_SCALES,
)
from veridical.word_file import word_file


class After(NamedTuple):
    """The part after the digits."""

    end: int
    scale: float = 1.0
    unsure: bool = False
    """True if the scale may also be a unit."""
    unit: str = ""
    factor: float = 1.0
    """The value of one unit in percent."""
    word: str = ""
    """The word after, if it is neither scale nor unit."""


_S = "[ \u00a0\u202f\u2009]"
_WORDS = word_file("veridical.reading", "figures.toml")["after"]
_NEXT = late_pattern(_WORDS["next"].replace("<S>", _S))
_HAN_NEXT = late_pattern(
    _WORDS["han_next"]
    .replace("<S>", _S)
    .replace("<SCALES>", "|".join(HAN_SCALES))
    .replace("<CURRENCIES>", "|".join(sorted(HAN_CURRENCIES, key=len, reverse=True)))
    .replace("<UNITS>", "|".join(HAN_UNITS))
)
_SHORTENED = frozenset(_WORDS["shortened"].split())
_DIGIT_NEXT = late_pattern(rf"\.?{_S}?[-−–]?[0-9]")
_IN_SCALE = late_pattern(_WORDS["in_scale"])
_NATIONS = frozenset(_WORDS["nations"].split())
_LEADERS = _NATIONS | frozenset(_WORDS["leaders"].split())
_PERCENT = frozenset(_WORDS["percent"].split())
_KNOWN = {*SCALES, *PERCENTS, *CURRENCIES, *CURRENCY_SIGNS, *UNITS, *_LEADERS, "in"}
_STOPS = frozenset((*"\n.,;:)|-", ""))
_THOUSANDS = frozenset("kK")
_MILLIONS = frozenset("mM")
_MILLIMETRES = frozenset({"mm", "MM"})


def after(text: str, end: int, *, currency: bool = False) -> After:
    """The part after the digits that end at this place; a currency before them settles doubts."""
    follows = text[end : end + 1]
    if follows in _STOPS:
        return After(end)
    found = _NEXT.match(text, end)
    if found is None:
        if follows > "\u2e80" or text[end : end + 2] > " \u2e80":
            return _han_after(text, end)
        return After(end)
    blank, word = found.groups()
    if word not in _KNOWN:
        return After(end, 1.0, False, "", 1.0, word)
    scale = SCALES.get(word)
    if scale is None:
        return _unit(text, end, word, found.end())
    unsure = word in UNSURE_SCALES and not currency
    if unsure and word in _THOUSANDS:
        unsure = bool(blank)
    if unsure and (word in _MILLIMETRES or (blank and word not in _MILLIONS)):
        return _unit(text, end, word, found.end())
    stop = _past_point(text, word, found.end())
    then = _NEXT.match(text, stop)
    if then is None:
        return After(stop, scale, unsure, word if unsure else "")
    rest = _unit(text, stop, then[2], then.end())
    unit = rest.unit or (word if unsure else "")
    return After(rest.end, scale, unsure and not rest.unit, unit, rest.factor, rest.word)


def _unit(text: str, end: int, word: str, stop: int) -> After:
    """The word as percent, currency or unit; else only as a word."""
    factor = PERCENTS.get(word)
    if factor is not None:
        if word in _PERCENT and text.startswith(" points", stop):
            stop += len(" points")
        return After(stop, 1.0, False, "%", factor)
    code = CURRENCIES.get(word) or CURRENCY_SIGNS.get(word)
    if code:
        if word != "€" and _DIGIT_NEXT.match(text, stop) is not None:
            return After(end)  # the currency of the next figure: account 1020 CHF 500
        return After(_past_point(text, word, stop), 1.0, False, code)
    if word in UNITS:
        return After(_past_point(text, word, stop), 1.0, False, word)
    if word == "in":
        return _in_thousands(text, end)
    then = _NEXT.match(text, stop) if word in _LEADERS else None
    if then is not None:
        factor = PERCENTS.get(f"{word} {then[2]}")
        if factor is not None:
            return After(then.end(), unit="%", factor=factor)
        if word in _NATIONS and then[2] in CURRENCIES:
            return After(then.end(), unit=CURRENCIES[then[2]])
    return After(end, 1.0, False, "", 1.0, word)


def _in_thousands(text: str, end: int) -> After:
    """A figure kept in a scale: $3,142,308 in thousands."""
    found = _IN_SCALE.match(text, end)
    if found is None:
        return After(end, 1.0, False, "", 1.0, "in")
    return After(found.end(), SCALES[found[1]], True)


def _past_point(text: str, word: str, stop: int) -> int:
    return stop + 1 if word in _SHORTENED and text.startswith(".", stop) else stop


def _han_after(text: str, end: int) -> After:
    found = _HAN_NEXT.match(text, end)
    if found is None or found.end() == end:
        return After(end)
    scale, unit = found["scale"], found["unit"]
    if not scale and not unit:
        return After(end)
    stop = found.end("unit") if unit else found.end("scale")
    if unit in PERCENTS:
        return After(stop, HAN_SCALES.get(scale or "", 1.0), False, "%", PERCENTS[unit])
    code = HAN_CURRENCIES.get(unit or "", unit or "")
    return After(stop, HAN_SCALES[scale] if scale else 1.0, False, code)
