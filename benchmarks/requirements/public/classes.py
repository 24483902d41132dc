"""Sentences of PURE specifications that people called requirements or not: does one oblige?"""

import csv
from pathlib import Path
from typing import Any

from benchmarks.requirements.public.half import Half, half_of
from benchmarks.requirements.public.score import Call, scores
from veridical.requirements.rules import imp0
from veridical.requirements.tokens import read

_TEXT, _LABEL = 1, 3
"""Columns of the file."""


def measure(data: Path, half: Half) -> dict[str, Any]:
    """The figures of the sentences of one half; the sentence obliges where IMP0 finds nothing."""
    path = data / "req_classes" / "pure_test.csv"
    if not path.exists():
        return {}
    with path.open(encoding="utf-8", errors="replace", newline="") as lines:
        rows = [row for row in csv.reader(lines) if len(row) > _LABEL][1:]
    calls = [
        Call(label.strip() == "Req", not any(imp0.find(read(text, "en"))))
        for text, label in ((row[_TEXT], row[_LABEL]) for row in rows)
        if half_of(text) is half
    ]
    return {"obliges": scores(calls)}
