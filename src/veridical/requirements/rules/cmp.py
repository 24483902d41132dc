"""CMP: a comparative that is compared with nothing."""

from collections.abc import Iterator

from veridical.requirements.lexicon import Hit
from veridical.requirements.morphology import is_comparative
from veridical.requirements.rules.mark import Mark, overlaps, phrases
from veridical.requirements.tokens import Tokens

_WINDOW = 9


def find(tokens: Tokens) -> Iterator[Mark]:
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
    return any(tokens.low(p) in sets["than"] for p in range(hit.end, min(hit.end + _WINDOW, stop)))


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
