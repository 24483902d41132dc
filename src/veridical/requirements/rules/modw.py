"""MODW: a modal that leaves open whether it obliges."""

from collections.abc import Iterator

from veridical.requirements.rules.mark import Mark, phrases
from veridical.requirements.rules.permission import is_permission
from veridical.requirements.tokens import Tokens


def find(tokens: Tokens) -> Iterator[Mark]:
    """Weak modals; "may" only where it permits nothing to a role."""
    for hit in phrases(tokens, "MODW"):
        if _opens_condition(tokens, hit.first) or tokens.is_defined(hit.first):
            continue
        if hit.group == "may" and is_permission(tokens, hit.first):
            continue
        if hit.group == "own" and hit.first not in tokens.main:
            continue
        yield Mark(hit.first, hit.end)


def _opens_condition(tokens: Tokens, place: int) -> bool:
    """Should the link fail, …"""
    sentence = tokens.sentence_of(place)
    return place == sentence.start and "," in tokens.lows[place : sentence.stop]
