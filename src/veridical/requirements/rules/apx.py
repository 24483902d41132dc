"""APX: a value that is only about right."""

from collections.abc import Iterator

from veridical.requirements.rules.mark import Mark, phrases
from veridical.requirements.tokens import Tokens

_TOLERANCES = frozenset("±")
_NEAR = 2


def find(tokens: Tokens) -> Iterator[Mark]:
    """The approximating word with its value; some words need none."""
    ends = {quantity.first: quantity.end for quantity in tokens.quantities}
    for hit in phrases(tokens, "APX"):
        value = next((p for p in range(hit.end, hit.end + _NEAR) if p in ends), None)
        if value is not None and _adjoins(tokens, hit.end, value):
            if not _TOLERANCES & set(tokens.lows[value : value + 4]):
                yield Mark(hit.first, ends[value])
        elif hit.group == "alone":
            yield Mark(hit.first, hit.end)


def _adjoins(tokens: Tokens, end: int, value: int) -> bool:
    return value == end or tokens.low(end) in tokens.words.sets["before_value"]
