"""Findings against labels: precision and recall by rule and language, and the speed."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import Any

from benchmarks.requirements.agreement import guide_rules
from veridical.requirements.finding import Finding
from veridical.requirements.inspection import inspect

_GUIDE = Path(__file__).parent / "own" / "labelling.md"
_LEAST = 2000
"""Requirements to measure the speed with; a small set is repeated."""


@dataclass
class _Label:
    rule: str
    start: int
    end: int
    found: bool = False


def measure_set(items: Sequence[dict[str, Any]], *, misses: bool) -> dict[str, Any]:
    """The figures of labelled requirements; ``misses`` prints each difference."""
    right: Counter[tuple[str, str]] = Counter()
    wrong: Counter[tuple[str, str]] = Counter()
    missed: Counter[tuple[str, str]] = Counter()
    detected = 0
    failed: Counter[str] = Counter()
    labelled = guide_rules(_GUIDE)  # other rules have findings that nobody labelled
    for item in items:
        language, text = item["lang"], item["text"]
        detected += inspect(text).tokens.language == language
        inspection = inspect(text, language)
        failed.update(inspection.not_evaluated)
        labels = list(_labels(item))
        for finding in inspection.findings:
            if finding.rule not in labelled:
                continue
            label = _label_of(finding, labels)
            if label is not None:
                label.found = True
                right[finding.rule, language] += 1
            else:
                wrong[finding.rule, language] += 1
                if misses:
                    print(f"false {finding.rule} {item.get('id')} {finding.said!r}: {text}")
        for label in labels:
            if not label.found:
                missed[label.rule, language] += 1
                if misses:
                    said = text[label.start : label.end]
                    print(f"missed {label.rule} {item.get('id')} {said!r}: {text}")
    keys = sorted({*right, *wrong, *missed})
    return {
        "requirements": len(items),
        "language_right": round(detected / max(1, len(items)), 4),
        "not_evaluated": dict(failed),
        "all": _scores(right.total(), wrong.total(), missed.total()),
        "by_language": {
            language: _scores(*(_total(each, language) for each in (right, wrong, missed)))
            for language in sorted({language for _, language in keys})
        },
        "by_rule": {
            f"{rule} {language}": _scores(
                right[rule, language], wrong[rule, language], missed[rule, language]
            )
            for rule, language in keys
        },
        "requirements_per_core_second": round(_speed([item["text"] for item in items])),
    }


def _labels(item: dict[str, Any]) -> Iterator[_Label]:
    for label in item["labels"]:
        span = label["span"]
        whole = re.search(rf"(?<!\w){re.escape(span)}(?!\w)", item["text"])
        start = whole.start() if whole else item["text"].index(span)
        yield _Label(label["rule"], start, start + len(span))


def _label_of(finding: Finding, labels: Iterable[_Label]) -> _Label | None:
    for label in labels:
        overlap = label.start < finding.end and finding.start < label.end
        if label.rule == finding.rule and overlap and not label.found:
            return label
    return None


def _total(counts: Counter[tuple[str, str]], language: str) -> int:
    return sum(count for (_, each), count in counts.items() if each == language)


def _scores(right: int, wrong: int, missed: int) -> dict[str, Any]:
    return {
        "precision": round(right / (right + wrong), 4) if right + wrong else None,
        "recall": round(right / (right + missed), 4) if right + missed else None,
        "labels": right + missed,
        "findings": right + wrong,
    }


def _speed(texts: Sequence[str]) -> float:
    """Requirements a second of one core's time, language detection included."""
    rounds = [text for _ in range(_LEAST // max(1, len(texts)) + 1) for text in texts]
    begun = process_time()
    for text in rounds:
        inspect(text)
    return len(rounds) / (process_time() - begun)
