"""CMP: a comparative that is compared with nothing."""

from collections.abc import Iterator

from veridical.requirements.lexicon import Hit
from veridical.requirements.rules.mark import Mark, overlaps, phrases
from veridical.requirements.tokens import Tokens

_WINDOW = 9


def find(tokens: Tokens) -> Iterator[Mark]:
    """Comparatives without what they are compared with; an inflected adjective is none."""
    for hit in phrases(tokens, "CMP"):
        if overlaps(tokens, hit, "TMP", "BOUND") or _is_compared(tokens, hit):
            continue
        if hit.group == "words" and _is_attribute(tokens, hit.first):
            continue
        if hit.group == "participles" and not _is_result(tokens, hit.first):
            continue
        if hit.group == "compound" and not _has_adjective(tokens, hit.end):
            continue
        yield Mark(hit.first, hit.end + (hit.group == "compound"))


def _is_compared(tokens: Tokens, hit: Hit) -> bool:
    sets = tokens.words.sets
    before, after = tokens.low(hit.first - 1), tokens.low(hit.end)
    if before in sets["before_comparative"] or after in sets["after_comparative"]:
        return True
    stop = tokens.sentence_of(hit.first).stop
    return any(tokens.low(p) in sets["than"] for p in range(hit.end, min(hit.end + _WINDOW, stop)))


def _is_attribute(tokens: Tokens, place: int) -> bool:
    """ein schneller Zugriff: German inflects "schnell" into its own comparative."""
    if not tokens.low(place).endswith(tokens.words.endings["double_endings"]):
        return False
    return tokens.is_noun(place + 1)


def _is_result(tokens: Tokens, place: int) -> bool:
    """Whether a participle says what came out: before a noun, and not as a verb."""
    return tokens.low(place - 1) not in tokens.words.sets["become"]


def _has_adjective(tokens: Tokens, place: int) -> bool:
    low = tokens.low(place)
    return (
        low.endswith(tokens.words.endings["adjective_endings"])
        and low not in tokens.words.sets["than"]
    )
