"""UNIT: a measure without its unit."""

from collections.abc import Iterator

from veridical.requirements.quantity import Quantity
from veridical.requirements.rules.mark import Mark
from veridical.requirements.tokens import Tokens

_DASHES = frozenset("-–")
_REACH = 4
"""Words between a number and what it counts: 5 gleichzeitig angemeldete Personen."""


def find(tokens: Tokens) -> Iterator[Mark]:
    """Bare numbers behind a word that measures, where no counted thing follows."""
    end = -1
    for quantity in tokens.quantities:
        place = quantity.first
        if quantity.unit or not tokens.all[place].is_number or place in tokens.names:
            continue
        if place < end or not _measures(tokens, place) or _is_named(tokens, quantity):
            continue
        last = _last_of_range(tokens, place)
        if _is_bare(tokens, last):
            end = last + 1
            yield Mark(place, end)


def _measures(tokens: Tokens, place: int) -> bool:
    return tokens.is_in("measure_leads", _before(tokens, place))


def _before(tokens: Tokens, place: int) -> int:
    """The word before a number; the full stop of "max." is no word."""
    before = place - 1
    if (
        tokens.low(before) == "."
        and before
        and tokens.all[before - 1].end == tokens.all[before].start
    ):
        return before - 1
    return before


def _last_of_range(tokens: Tokens, place: int) -> int:
    """The second number of 18-22; else the only one."""
    dash, second = place + 1, place + 2
    if tokens.low(dash) in _DASHES and second < len(tokens.all) and tokens.all[second].is_number:
        return second
    return place


def _is_named(tokens: Tokens, quantity: Quantity) -> bool:
    """Versions, chapters, years, dates, times of day: numbers that measure nothing."""
    place, sets = quantity.first, tokens.words.sets
    text = tokens.all[place].text
    before = tokens.lows[max(0, place - 2) : place]
    if any(low in sets["not_measured"] or low in sets["counted"] for low in before):
        return True
    year = len(text) == 4 and text[:2] in {"19", "20"}
    clock = tokens.low(place + 1) in {":", "/"} or tokens.low(place - 1) in {":", "/", "§"}
    dated = "." in text and text.count(".") > 1
    return year or clock or dated


def _is_bare(tokens: Tokens, place: int) -> bool:
    """True if no noun follows that is counted: the end, a mark, or a word that is no noun."""
    after = place + 1
    if after >= len(tokens.all) or tokens.all[after].text in ".,;)":
        return True
    if not tokens.all[after].is_word:
        return False
    if tokens.is_in("no_unit", after):
        return not _range_has_unit(tokens, after)
    if tokens.language == "de":
        return not _counts(tokens, after)
    return False


def _counts(tokens: Tokens, after: int) -> bool:
    """True if a German noun follows, perhaps behind its attributes."""
    for place in range(after, min(after + _REACH, len(tokens.all))):
        if tokens.is_noun(place):
            return True
        if not tokens.all[place].is_word or tokens.is_in("no_unit", place):
            return False
        if tokens.is_in("determiners", place) or tokens.is_in("prepositions", place):
            return False
    return False


def _range_has_unit(tokens: Tokens, join: int) -> bool:
    """True if the unit follows the second number: 18 to 22 °C; between 5 and 10 users."""
    nxt = next((each for each in tokens.quantities if each.first == join + 1), None)
    if nxt is None:
        return False
    return bool(nxt.unit) or not _is_bare(tokens, nxt.first)
