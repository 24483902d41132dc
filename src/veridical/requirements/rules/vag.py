"""VAG: a quality that can't be measured."""

from collections.abc import Iterator
from functools import cache

from veridical.requirements.lexicon import Hit, lexicon
from veridical.requirements.rules.comparison import comparatives, superlatives
from veridical.requirements.rules.figures import missing_figures
from veridical.requirements.rules.mark import Mark, is_quantified, overlaps, phrases
from veridical.requirements.tokens import Tokens

_FIRST = ("TMP", "SUP", "ESC", "APX", "OPN", "INF", "ABS")
"""Rules whose phrases win over a vague word inside them."""


def find(tokens: Tokens) -> Iterator[Mark]:
    """Vague words that no figure settles and that no other rule takes."""
    hits = [
        hit
        for hit in sorted((*phrases(tokens, "VAG"), *_built(tokens)))
        if not overlaps(tokens, hit, *_FIRST) and not is_quantified(tokens, hit)
    ]
    if not hits:
        return
    taken = [*comparatives(tokens), *missing_figures(tokens), *superlatives(tokens)]
    for hit in hits:
        covered = any(mark.first <= hit.first < mark.end for mark in taken)
        if covered and tokens.low(hit.first) not in tokens.words.sets["own_leads"]:
            continue
        if hit.group == "measured" and not _predicated(tokens, hit.first):
            continue
        if _is_other_sense(tokens, hit.first):
            continue
        yield Mark(hit.first, hit.end)


def _built(tokens: Tokens) -> Iterator[Hit]:
    """Words that end like vague ones: kinderfreundlich, cost-effective."""
    for place, low in enumerate(tokens.lows):
        vague = _ends_vaguely(low, tokens.language) or (
            _may_be_vague(low, tokens.language) and _says_what_is(tokens, place)
        )
        if not vague or not tokens.all[place].text.islower():
            continue
        listed = any(hit.first == place for hit in tokens.hits.get("VAG", ()))
        if not listed and place not in tokens.names:
            yield Hit(place, place + 1, "endings")


@cache
def _ends_vaguely(low: str, language: str) -> bool:
    words = lexicon(language)
    return low.endswith(words.endings["vague_endings"]) and low not in words.sets["not_vague"]


@cache
def _may_be_vague(low: str, language: str) -> bool:
    """True if an adjective has the form of praise and names no plain property."""
    words = lexicon(language)
    built = low.endswith(words.endings["vague_predicates"])
    return built and low not in words.sets["plain_predicates"]


def _says_what_is(tokens: Tokens, place: int) -> bool:
    """True if it stands alone beside "be" as the demand itself: muss geräumig sein."""
    if tokens.language == "de":
        return tokens.low(place + 1) in tokens.words.sets["state_verbs"]
    after = tokens.low(place + 1)
    alone = not after[:1].isalpha() or after in tokens.words.sets["joins"]
    return alone and tokens.is_in("be", place - 1)


def _is_other_sense(tokens: Tokens, first: int) -> bool:
    """10 m long; as well as; so long as; exactly these three."""
    sets = tokens.words.sets
    counted = tokens.is_in("determiners", first + 1) or tokens.low(first + 1)[:1].isdecimal()
    if tokens.is_in("exactly", first) and counted:
        return True
    if tokens.low(first) in sets["dimensions"]:
        return any(quantity.end == first for quantity in tokens.quantities)
    return False


def _predicated(tokens: Tokens, place: int) -> bool:
    """True if "high" is the demand itself and does not name a level."""
    after = tokens.low(place + 1)
    return not after or not after[0].isalpha() or after in tokens.words.sets["no_unit"]
