"""RNG: a performance that is to equal a value, with no bound and no tolerance."""

from collections.abc import Iterator

from veridical.requirements.quantity import Quantity
from veridical.requirements.rules.mark import Mark
from veridical.requirements.tokens import Tokens

_WINDOW = 6


def find(tokens: Tokens) -> Iterator[Mark]:
    """Values of main clauses behind "is", "of", "beträgt" and their like."""
    for quantity in tokens.quantities:
        if not quantity.unit or quantity.first not in tokens.main:
            continue
        if _equals(tokens, quantity) and not _is_bounded(tokens, quantity):
            yield Mark(quantity.first, quantity.end)


def _equals(tokens: Tokens, quantity: Quantity) -> bool:
    place, sets = quantity.first, tokens.words.sets
    before = tokens.low(place - 1)
    if before in sets["of"]:
        return not _is_set(tokens, place - 2)
    after = tokens.low(quantity.end)
    return before in sets["equals"] or after in sets["equal_verbs_after"]


def _is_bounded(tokens: Tokens, quantity: Quantity) -> bool:
    """True if a bound or a tolerance stands near, or the value is a setting or a price."""
    sets, place = tokens.words.sets, quantity.first
    if quantity.dimension.startswith(("money", "resolution")):
        return True
    if quantity.dimension == "information":
        return True  # the length of a key
    sentence = tokens.sentence_of(place)
    first = max(sentence.start, place - _WINDOW)
    nouns = range(first, place - tokens.is_in("equals", place - 1))  # "hold 5 l" is no hold time
    before = tokens.lows[first:place]
    after = tokens.lows[quantity.end : min(quantity.end + 3, sentence.stop)]
    return (
        any(low in sets["bounds"] for low in before[-3:])
        or any(low in sets["approximations"] for low in before[-2:])
        or any(low in sets["bounds_after"] for low in after)
        or any(_is_set(tokens, each) for each in nouns)
    )


def _is_set(tokens: Tokens, place: int) -> bool:
    """True if the noun names a setting: a timeout, a limit, a price."""
    low = tokens.low(place)
    if tokens.language == "de":  # the last part of a compound decides
        return low.endswith(tokens.words.endings["no_range_nouns"])
    return low in tokens.words.sets["no_range_nouns"]
