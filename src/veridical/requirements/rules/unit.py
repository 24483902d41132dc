"""UNIT: a measure without its unit."""

from collections.abc import Iterator

from veridical.requirements.quantity import Quantity
from veridical.requirements.rules.mark import Mark
from veridical.requirements.tokens import Tokens


def find(tokens: Tokens) -> Iterator[Mark]:
    """Bare numbers behind a word that measures, where no counted thing follows."""
    for quantity in tokens.quantities:
        place = quantity.first
        if quantity.unit or not tokens.all[place].is_number or place in tokens.names:
            continue
        if _measures(tokens, place) and not _is_named(tokens, quantity) and _is_bare(tokens, place):
            yield Mark(place, place + 1)


def _measures(tokens: Tokens, place: int) -> bool:
    return tokens.is_in("measure_leads", place - 1)


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
    """Whether no noun follows that is counted: the end, a mark, or a word that is no noun."""
    after = place + 1
    if after >= len(tokens.all) or tokens.all[after].text in ".,;)":
        return True
    if not tokens.all[after].is_word:
        return False
    if tokens.is_in("no_unit", after):
        return not _range_has_unit(tokens, after)
    if tokens.language == "de":
        return not (tokens.is_noun(after) or tokens.is_noun(after + 1))
    return False


def _range_has_unit(tokens: Tokens, join: int) -> bool:
    """Whether the unit follows the second number: 18 to 22 °C; between 5 and 10 users."""
    nxt = next((each for each in tokens.quantities if each.first == join + 1), None)
    if nxt is None:
        return False
    return bool(nxt.unit) or not _is_bare(tokens, nxt.first)
