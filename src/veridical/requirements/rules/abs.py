"""ABS: an absolute that nothing attains."""

from collections.abc import Iterator

from veridical.requirements.rules.mark import Mark, phrases
from veridical.requirements.tokens import Tokens

_WINDOW = 6


def find(tokens: Tokens) -> Iterator[Mark]:
    """Absolutes; 100 % and zero only where they demand a quality."""
    for hit in phrases(tokens, "ABS"):
        if hit.group in {"whole", "zero"} and not _demands_quality(tokens, hit.first, hit.end):
            continue
        if tokens.low(hit.end) in tokens.words.sets["whenever"]:
            continue
        if tokens.low(hit.end) == "," and tokens.low(hit.end + 1) in tokens.words.sets["whenever"]:
            continue
        yield Mark(hit.first, hit.end)


def _demands_quality(tokens: Tokens, first: int, end: int) -> bool:
    near = tokens.lows[max(0, first - _WINDOW) : end + _WINDOW]
    qualities = tokens.words.sets["absolute_qualities"]
    scale = any(
        low in tokens.words.sets["scale_words"] for low in tokens.lows[max(0, first - 3) : first]
    )
    return not scale and any(low in qualities for low in near)
