"""Comparatives compared with nothing (CMP), and optima that nothing says how to reach (SUP)."""

from collections.abc import Iterator

from veridical.requirements.lexicon import Hit
from veridical.requirements.morphology import is_comparative
from veridical.requirements.rules.mark import Mark, overlaps, phrases
from veridical.requirements.tokens import Tokens

_REACH = 9


def comparatives(tokens: Tokens) -> Iterator[Mark]:
    """Comparatives without what they are compared with; an inflected adjective is none."""
    for hit in sorted((*phrases(tokens, "CMP"), *_built(tokens))):
        if overlaps(tokens, hit, "TMP", "BOUND") or _is_compared(tokens, hit):
            continue
        if hit.group == "words" and _is_attribute(tokens, hit.first):
            continue
        if tokens.is_in("genitive", hit.first - 1) and tokens.is_in(
            "comparative_quantities", hit.first
        ):
            continue
        if hit.group == "participles" and not _is_result(tokens, hit.first):
            continue
        if hit.group == "compound" and not _has_adjective(tokens, hit.end):
            continue
        yield Mark(hit.first, hit.end + (hit.group == "compound"))


def _built(tokens: Tokens) -> Iterator[Hit]:
    """German comparatives by their form, beyond those listed."""
    if tokens.language != "de":
        return
    sets = tokens.words.sets
    listed = {hit.first for hit in tokens.hits.get("CMP", ())}
    for place, token in enumerate(tokens.all):
        if place in listed or place in tokens.names or not token.text.islower():
            continue
        if token.low in sets["no_comparatives"] or not is_comparative(token.low):
            continue
        if token.low.endswith(tokens.words.endings["double_endings"]) and not _is_predicate(
            tokens, place
        ):
            continue
        yield Hit(place, place + 1, "words")


def _is_predicate(tokens: Tokens, place: int) -> bool:
    """True if "schneller" stands alone, and is not the masculine of "schnell" before its noun."""
    if tokens.is_in("determiners", place - 1) or tokens.is_in("prepositions", place - 1):
        return False
    after = place + 1
    while after < len(tokens.all) and not tokens.is_noun(after):
        joins = tokens.low(after) == "," or tokens.is_in("phrase_ends", after)
        if not joins and not tokens.low(after).endswith("er"):
            return True
        after += 1
    return after >= len(tokens.all)


def _is_compared(tokens: Tokens, hit: Hit) -> bool:
    sets = tokens.words.sets
    before, after = tokens.low(hit.first - 1), tokens.low(hit.end)
    if before in sets["before_comparative"] or after in sets["after_comparative"]:
        return True
    stop = tokens.sentence_of(hit.first).stop
    return any(tokens.low(p) in sets["than"] for p in range(hit.end, min(hit.end + _REACH, stop)))


def _is_attribute(tokens: Tokens, place: int) -> bool:
    """ein schneller Zugriff: German inflects "schnell" into its own comparative."""
    low = tokens.low(place)
    if not low.endswith(tokens.words.endings["double_endings"]) or low.endswith("erer"):
        return False
    if low in tokens.words.sets["comparative_quantities"]:
        return False
    return tokens.is_noun(place + 1)


def _is_result(tokens: Tokens, place: int) -> bool:
    """True if a participle describes a result: before a noun, and not as a verb."""
    return tokens.low(place - 1) not in tokens.words.sets["become"]


def _has_adjective(tokens: Tokens, place: int) -> bool:
    low = tokens.low(place)
    return (
        low.endswith(tokens.words.endings["adjective_endings"])
        and low not in tokens.words.sets["than"]
    )


_WINDOW = 5


def superlatives(tokens: Tokens) -> Iterator[Mark]:
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
