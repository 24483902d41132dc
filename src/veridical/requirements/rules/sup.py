"""SUP: an optimum that nothing says how to reach."""

from collections.abc import Iterator

from veridical.requirements.rules.mark import Mark, overlaps, phrases
from veridical.requirements.tokens import Tokens

_WINDOW = 5


def find(tokens: Tokens) -> Iterator[Mark]:
    """Superlatives; minimal and maximal where no value follows; as good as possible."""
    for hit in phrases(tokens, "SUP"):
        if hit.group == "sorted" or overlaps(tokens, hit, "TMP"):
            continue
        if hit.group == "extreme" and not _is_quality(tokens, hit.end):
            continue
        yield Mark(hit.first, hit.end)
    yield from _degrees(tokens)


def _is_quality(tokens: Tokens, place: int) -> bool:
    """True if a quality follows, and no value that bounds it."""
    near = range(place, place + _WINDOW)
    if any(quantity.first in near for quantity in tokens.quantities):
        return False
    return any(tokens.is_in("extreme_nouns", p) for p in (place, place + 1)) or any(
        hit.first in (place, place + 1) for hit in phrases(tokens, "NUM")
    )


def _degrees(tokens: Tokens) -> Iterator[Mark]:
    for hit in phrases(tokens, "DEGREE"):
        if overlaps(tokens, hit, "TMP"):
            continue
        if hit.group == "before" and is_possible_degree(tokens, hit.first):
            yield Mark(hit.first, hit.first + 2)
        elif hit.group == "around":
            first = _opening(tokens, hit.first)
            if first is not None and not _is_time(tokens, first, hit.end):
                yield Mark(first, hit.end)


def is_possible_degree(tokens: Tokens, place: int) -> bool:
    """möglichst leise: whether the word behind is an adjective."""
    after = place + 1
    if after >= len(tokens.all) or not tokens.all[after].text[0].islower():
        return False
    sets = tokens.words.sets
    low = tokens.low(after)
    return not (
        low in sets["prepositions"] or low in sets["determiners"] or low in sets["no_degree"]
    )


def _opening(tokens: Tokens, place: int) -> int | None:
    """The "as" of "as reliable as possible", up to four tokens before."""
    openers = tokens.words.sets["degree_openers"]
    return next(
        (p for p in range(place - 1, max(place - 5, -1), -1) if tokens.low(p) in openers), None
    )


def _is_time(tokens: Tokens, first: int, end: int) -> bool:
    return any(first <= hit.first < end for hit in phrases(tokens, "TMP"))
