"""VAG: a quality that nobody can measure."""

from collections.abc import Iterator

from veridical.requirements.lexicon import Hit
from veridical.requirements.rules import cmp, num, sup
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
    taken = [*cmp.find(tokens), *num.find(tokens), *sup.find(tokens)]
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
    endings, sets = tokens.words.endings["vague_endings"], tokens.words.sets
    listed = {hit.first for hit in tokens.hits.get("VAG", ())}
    for place, token in enumerate(tokens.all):
        if place in listed or place in tokens.names or not token.text.islower():
            continue
        if token.low.endswith(endings) and token.low not in sets["not_vague"]:
            yield Hit(place, place + 1, "endings")


def _is_other_sense(tokens: Tokens, first: int) -> bool:
    """10 m long; as well as; so long as."""
    sets = tokens.words.sets
    if tokens.low(first) in sets["dimensions"]:
        return any(quantity.end == first for quantity in tokens.quantities)
    return False


def _predicated(tokens: Tokens, place: int) -> bool:
    """Whether "high" says what something is to be, and does not name a level."""
    after = tokens.low(place + 1)
    return not after or not after[0].isalpha() or after in tokens.words.sets["no_unit"]
