"""SLS: a slash that leaves open whether it means "and" or "or"."""

from collections.abc import Iterator

from veridical.requirements.rules.mark import Mark
from veridical.requirements.tokens import Tokens

_SHORTEST = 3
_PATH = frozenset("/:\\.@-_")


def find(tokens: Tokens) -> Iterator[Mark]:
    """Words joined by a slash; no units, paths, names of norms or fixed pairs."""
    for place in range(1, len(tokens.all) - 1):
        if tokens.all[place].text == "/" and place not in tokens.names and _joins(tokens, place):
            yield Mark(place - 1, place + 2)


def _joins(tokens: Tokens, place: int) -> bool:
    left, slash, right = tokens.all[place - 1 : place + 2]
    if not (left.is_word and right.is_word):
        return False
    if f"{left.low}/{right.low}" in tokens.words.sets["and_or"]:
        return True
    if left.end != slash.start or right.start != slash.end:
        return False
    if f"{left.low}/{right.low}" in tokens.words.sets["slash_pairs"]:
        return False
    around = (tokens.low(place - 2), tokens.low(place + 2))
    path = any(mark and mark in _PATH and _touches(tokens, place, mark) for mark in around)
    short = min(len(left.text), len(right.text)) < _SHORTEST
    return not (path or short or (left.text.isupper() and right.text.isupper())) and (
        right.low not in tokens.words.sets["gender_endings"]
    )


def _touches(tokens: Tokens, place: int, mark: str) -> bool:
    """True if the mark stands inside the same word: a path, not the end of the sentence."""
    if tokens.low(place - 2) == mark and tokens.all[place - 2].end == tokens.all[place - 1].start:
        return True
    after = place + 3
    return (
        tokens.low(place + 2) == mark
        and after < len(tokens.all)
        and tokens.all[after].start == tokens.all[place + 2].end
        and tokens.all[place + 1].end == tokens.all[place + 2].start
    )
