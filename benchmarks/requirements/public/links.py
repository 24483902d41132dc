"""Pairs that people linked as duplicates against the pairs that are called duplicates."""

from collections.abc import Mapping
from typing import Any

from veridical.requirements.relations.pairs import related_pairs
from veridical.requirements.relations.relation import Kind
from veridical.requirements.tokens import read

Link = tuple[str, str, str]
_SAME = (Kind.DUPLICATE, Kind.VARIANT)
"""The same demand, and the same for another role: people link both."""


def measure_links(
    groups: Mapping[str, Mapping[str, str]], links: set[Link], published: str
) -> dict[str, Any]:
    """The figures over the groups, within which alone pairs are made."""
    called: dict[Kind, set[Link]] = {kind: set() for kind in Kind}
    pairs = 0
    for group, texts in groups.items():
        ids = list(texts)
        pairs += len(ids) * (len(ids) - 1) // 2
        for pair in related_pairs([read(texts[each], "en") for each in ids]):
            first, second = sorted((ids[pair.first], ids[pair.second]))
            called[pair.relation.kind].add((group, first, second))
    same = set().union(*(called[kind] for kind in _SAME))
    return {
        "requirements": sum(len(texts) for texts in groups.values()),
        "pairs": pairs,
        "linked": len(links),
        "called_duplicate": _figures(called[Kind.DUPLICATE], links),
        "called_duplicate_or_variant": _figures(same, links),
        "called_anything": _figures(set().union(*called.values()), links),
        "published": published,
    }


def _figures(called: set[Link], links: set[Link]) -> dict[str, Any]:
    right = len(called & links)
    return {
        "called": len(called),
        "precision": round(right / len(called), 4) if called else None,
        "recall": round(right / len(links), 4) if links else None,
        "f1": round(2 * right / (len(called) + len(links)), 4) if called or links else None,
    }
