"""Precision, recall and F1 of calls against labels, by the half of a set that they are in."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import Any


class Half(StrEnum):
    """Which half of a set is measured."""

    DEVELOPED = "developed"
    """Read while the rules were written."""
    PUBLISHED = "published"
    """Not read; its figures are the ones to tell."""


def half_of(key: str) -> Half:
    """The half that the item with this key is in, the same on every machine."""
    return Half.PUBLISHED if sha256(key.encode()).digest()[0] % 2 else Half.DEVELOPED


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
