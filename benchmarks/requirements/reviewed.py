"""Sets that requirements engineers labelled in their own words: faults and testability.

Their labels are coarser than the rules, and what no label stands for is not counted. A requirement
in a language that the product does not read is counted as not evaluated, and nowhere else.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.requirements.labelled import speed
from veridical.requirements.evaluation import evaluated
from veridical.requirements.finding import Criterion
from veridical.requirements.inspection import Inspection, Lack, inspect

LABELS: Mapping[str, frozenset[str]] = {
    "vague": frozenset({"VAG", "NUM", "CMP", "SUP"}),
    "indefinite": frozenset({"QNT", "APX", "TMP"}),
    "unit": frozenset({"UNIT"}),
    "open_list": frozenset({"OPN"}),
    "open_point": frozenset({"TBD"}),
    "escape": frozenset({"ESC"}),
    "absolute": frozenset({"ABS"}),
    "weak": frozenset({"MODW"}),
    "no_demand": frozenset({"IMP0"}),
    "several": frozenset({"IMP2", "ATM"}),
    "no_actor": frozenset({"PAS", "ISTZU", "MAN"}),
    "pronoun": frozenset({"PRO"}),
    "and_or": frozenset({"SLS"}),
    "solution": frozenset({"SOL"}),
    "story_part": frozenset({"STO"}),
}
"""The rules that a label stands for."""
Line = dict[str, Any]


def measure_reviewed(items: Sequence[Line], *, misses: bool) -> dict[str, Any]:
    """Faults by label and language, and whether testable requirements are told from others."""
    counts: dict[str, Counter[str]] = {}
    testable: Counter[str] = Counter()
    read = [item for item in items if inspect(item["text"]).is_readable]
    for item in read:
        text, language = item["text"], item["lang"]
        inspection = inspect(text, language)
        rules = {finding.rule for finding in inspection.findings}
        found = {label for label, each in LABELS.items() if rules & each}
        labelled = set(map(_label, item["labels"]))
        for label in found | labelled:
            outcome = _outcome(label in labelled, label in found)
            for name in ("all", language, label):
                counts.setdefault(name, Counter())[outcome] += 1
            if misses and outcome != "right":
                print(f"{outcome} {label} {item.get('id')}: {text}")
        if "testable" in item:
            is_testable = _is_testable(inspection)
            agreed = is_testable is item["testable"]
            testable["agreed" if agreed else f"called_{str(is_testable).lower()}"] += 1
            if misses and not agreed:
                print(f"testable called {is_testable} {item.get('id')}: {text}")
    return {
        "requirements": len(items),
        "not_evaluated": len(items) - len(read),
        "language_right": _share(
            sum(inspect(item["text"]).tokens.language == item["lang"] for item in read), len(read)
        ),
        "by_label": {name: _scores(each) for name, each in sorted(counts.items())},
        "testable": {
            "agreement": _share(testable["agreed"], testable.total()),
            **dict(testable),
        },
        "requirements_per_core_second": round(speed([item["text"] for item in items])),
    }


def _label(given: str | Line) -> str:
    """The label of a fault that is named by itself, by its label or by its rule."""
    name = given if isinstance(given, str) else str(given.get("label") or given["rule"])
    return next((label for label, rules in LABELS.items() if name in rules), name)


def _outcome(is_labelled: bool, is_found: bool) -> str:
    if is_labelled and is_found:
        return "right"
    return "missed" if is_labelled else "false"


def _is_testable(inspection: Inspection) -> bool:
    """True if nothing that was found bears on whether a test can decide it."""
    criteria = evaluated(inspection, [Criterion.TESTABILITY, Criterion.MEASURABILITY]).criteria
    return not any(each.findings or each.lack is Lack.EVERYTHING for each in criteria)


def _scores(counts: Counter[str]) -> dict[str, Any]:
    right = counts["right"]
    return {
        "precision": _share(right, right + counts["false"]),
        "recall": _share(right, right + counts["missed"]),
        "labels": right + counts["missed"],
        "findings": right + counts["false"],
    }


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None
