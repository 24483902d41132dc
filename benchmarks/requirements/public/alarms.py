"""Findings in published German requirements: false alarms, by the rule that raised them."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.requirements.public.half import Half, half_of
from veridical.requirements.inspection import inspect


def measure(data: Path, half: Half) -> dict[str, Any]:
    """How many requirements have findings, and how many findings each rule has."""
    path = data / "req_de_bsi" / "requirements.jsonl"
    if not path.exists():
        return {}
    items = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    texts = [item["statement"] for item in items if half_of(item["id"]) is half]
    found = [[each.rule for each in inspect(text, "de").findings] for text in texts]
    return {
        "requirements": len(texts),
        "with_findings": sum(bool(rules) for rules in found),
        "findings": sum(map(len, found)),
        "by_rule": dict(Counter(rule for rules in found for rule in rules).most_common()),
    }
