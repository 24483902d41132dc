"""Kinds of pairs against labels: the confusion, and conflicts that were called duplicates."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from veridical.requirements.relations.relation import relate
from veridical.requirements.relations.signature import signature
from veridical.requirements.tokens import read

_NONE = "unrelated"


def measure_pairs(items: Sequence[dict[str, Any]], *, misses: bool) -> dict[str, Any]:
    """The figures of labelled pairs; ``misses`` prints each difference."""
    confusion: Counter[tuple[str, str]] = Counter()
    for item in items:
        first = signature(read(item["a"], item.get("lang_a")))
        second = signature(read(item["b"], item.get("lang_b")))
        relation = relate(first, second)
        called = relation.kind.value if relation else _NONE
        confusion[item["kind"], called] += 1
        if misses and called != item["kind"]:
            told = (relation.similarity, relation.cause) if relation else ""
            print(f"{item['kind']} called {called} {told}: {item['a']} | {item['b']}")
    kinds = sorted({kind for pair in confusion for kind in pair})
    right = sum(confusion[kind, kind] for kind in kinds)
    return {
        "pairs": len(items),
        "accuracy": round(right / max(1, len(items)), 4),
        "conflicts_called_duplicates": confusion["conflict", "duplicate"],
        "duplicates_called_conflicts": confusion["duplicate", "conflict"],
        "by_kind": {kind: _scores(confusion, kind, kinds) for kind in kinds},
        "confusion": {
            f"{kind} called {called}": count for (kind, called), count in sorted(confusion.items())
        },
    }


def _scores(confusion: Counter[tuple[str, str]], kind: str, kinds: Sequence[str]) -> dict[str, Any]:
    right = confusion[kind, kind]
    called = sum(confusion[each, kind] for each in kinds)
    there = sum(confusion[kind, each] for each in kinds)
    return {
        "precision": round(right / called, 4) if called else None,
        "recall": round(right / there, 4) if there else None,
        "pairs": there,
    }
