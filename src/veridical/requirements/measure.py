"""What a quality is measured in: seconds say how fast something is, and not how secure."""

from collections.abc import Iterable

from veridical.requirements.lexicon import word_file
from veridical.requirements.quantity import Quantity

COUNT, RATE, TIME, SHARE = "count", "rate", "time", "share"


def dimensions_of(words: Iterable[str]) -> frozenset[str]:
    """The dimensions that these words are measured in; nothing where all may be."""
    lows = tuple(words)
    return frozenset(
        dimension
        for family in word_file("measures").values()
        if any(low.startswith(tuple(family["stems"])) for low in lows)
        for dimension in family["dimensions"]
    )


def measures(each: Quantity, dimensions: frozenset[str], *, counts: bool) -> bool:
    """True if an amount is of one of these dimensions; ``counts`` if a thing stands behind it."""
    dimension = each.dimension or (COUNT if counts else "")
    if dimension.startswith("count/"):
        dimension = RATE
    return bool(dimension) and (not dimensions or dimension in dimensions)
