"""How two labellings of the same requirements agree: Cohen's kappa by rule, and over all of them.

A rule is a yes or no for each requirement: whether it has a label of this rule. Beside kappa, F1
says how many of the labels meet, where most requirements have none.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

_RULE = re.compile(r"^### ([A-Z0-9]+)", re.MULTILINE)
Labels = Mapping[str, frozenset[str]]


def guide_rules(guide: Path) -> tuple[str, ...]:
    """The rules that the labelling guide defines, in its order."""
    return tuple(_RULE.findall(guide.read_text("utf-8")))


def labels_of(items: Iterable[Mapping[str, Any]]) -> dict[str, frozenset[str]]:
    """The rules that each requirement is labelled with."""
    return {item["id"]: frozenset(each["rule"] for each in item["labels"]) for item in items}


def measure_agreement(first: Labels, second: Labels, rules: Sequence[str]) -> dict[str, Any]:
    """The agreement over the requirements that both have labelled."""
    ids = sorted(first.keys() & second.keys())
    pairs = {rule: [(rule in first[each], rule in second[each]) for each in ids] for rule in rules}
    every = [pair for each in pairs.values() for pair in each]
    both, either = every.count((True, True)), sum(map(sum, every))
    return {
        "requirements": len(ids),
        "kappa": _kappa(every),
        "f1": round(2 * both / either, 4) if either else None,
        "by_rule": {
            rule: {
                "kappa": _kappa(each),
                "first": sum(one for one, _ in each),
                "second": sum(other for _, other in each),
                "both": each.count((True, True)),
            }
            for rule, each in pairs.items()
            if any(one or other for one, other in each)
        },
    }


def _kappa(pairs: Sequence[tuple[bool, bool]]) -> float | None:
    """Agreement beyond what chance gives; nothing where chance alone gives all of it."""
    count = len(pairs)
    if not count:
        return None
    same = sum(one == other for one, other in pairs) / count
    first = sum(one for one, _ in pairs) / count
    second = sum(other for _, other in pairs) / count
    chance = first * second + (1 - first) * (1 - second)
    return round((same - chance) / (1 - chance), 4) if chance < 1 else None
