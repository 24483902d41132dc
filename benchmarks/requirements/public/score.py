"""Precision, recall and F1 of calls against labels, with the share of items that were judged."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Call:
    """What a rule says of an item, and what people said; nothing where the rule abstains."""

    label: bool
    called: bool | None


def scores(calls: Iterable[Call], published: str = "none known") -> dict[str, Any]:
    """The figures of the judged items, the coverage, and the figure to compare them with."""
    items = list(calls)
    judged = [call for call in items if call.called is not None]
    right = sum(call.label and bool(call.called) for call in judged)
    called = sum(bool(call.called) for call in judged)
    there = sum(call.label for call in judged)
    return {
        "items": len(items),
        "coverage": _share(len(judged), len(items)),
        "labelled": sum(call.label for call in items),
        "labelled_and_judged": there,
        "called": called,
        "precision": _share(right, called),
        "recall": _share(right, there),
        "recall_of_all": _share(right, sum(call.label for call in items)),
        "f1": _share(2 * right, called + there),
        "all_called_f1": _share(2 * there, len(judged) + there),
        "published": published,
    }


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None
