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
        noun = tokens.low(place - 2)
        return not noun.endswith(tokens.words.endings["no_range_nouns"])
    after = tokens.low(quantity.end)
    return before in sets["equals"] or after in sets["equal_verbs_after"]


def _is_bounded(tokens: Tokens, quantity: Quantity) -> bool:
    """Whether a bound or a tolerance stands near, or the value is a setting or a price."""
    sets, place = tokens.words.sets, quantity.first
    if quantity.dimension.startswith(("money", "resolution", "information")):
        return True
    sentence = tokens.sentence_of(place)
    before = tokens.lows[max(sentence.start, place - _WINDOW) : place]
    after = tokens.lows[quantity.end : min(quantity.end + 3, sentence.stop)]
    return (
        any(low in sets["bounds"] for low in before[-3:])
        or any(low in sets["approximations"] for low in before[-2:])
        or any(low in sets["bounds_after"] for low in after)
        or any(low.endswith(tokens.words.endings["no_range_nouns"]) for low in before)
    )
