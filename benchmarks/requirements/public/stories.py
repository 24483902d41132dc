"""UStAI: user stories with labels of people for atomicity, ambiguity, role and duplicates."""

import csv
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.requirements.public.half import Half, half_of
from benchmarks.requirements.public.links import measure_links
from benchmarks.requirements.public.score import Call, scores
from veridical.requirements.inspection import inspect

_FILE = "UStAI-annotated_updated.csv"
_AMBIGUOUS = frozenset({"VAG", "NUM", "TMP", "CMP", "SUP", "QNT", "OPN", "PRO", "ESC"})
Row = dict[str, str]


def measure(data: Path, half: Half) -> dict[str, Any]:
    """The figures, of the systems of one half."""
    path = data / "ustai" / _FILE
    if not path.exists():
        return {}
    with path.open(encoding="utf-8-sig", newline="") as lines:
        rows = [row for row in csv.DictReader(lines) if half_of(row["Abstract"]) is half]
    found = [_rules(row["User story"]) for row in rows]
    return {
        "atomicity": _criterion(
            rows, found, "atomic", lambda label: label == "conjunctions", frozenset({"ATM"})
        ),
        "role": _criterion(
            rows,
            found,
            "Conceptually sound",
            lambda label: label == "no_valid_role",
            frozenset({"ROL"}),
        ),
        "ambiguity": _criterion(
            rows, found, "Unambiguous", lambda label: label != "Unambiguous", _AMBIGUOUS
        ),
        "duplicates": _duplicates(rows),
    }


def _rules(text: str) -> frozenset[str]:
    return frozenset(finding.rule for finding in inspect(text.strip(), "en").findings)


def _criterion(
    rows: Sequence[Row],
    found: Sequence[frozenset[str]],
    column: str,
    faulty: Callable[[str], bool],
    rules: frozenset[str],
) -> dict[str, Any]:
    """A criterion against the rules for it; rows that nobody labelled are left out."""
    labelled = ((row[column].strip(), ids) for row, ids in zip(rows, found, strict=True))
    return scores(Call(faulty(label), bool(ids & rules)) for label, ids in labelled if label)


def _duplicates(rows: Iterable[Row]) -> dict[str, Any]:
    """Links between the stories of one system, by one model; each link both ways counts once."""
    texts: dict[str, dict[str, str]] = {}
    links: set[tuple[str, str, str]] = set()
    for row in rows:
        group = f"{row['Abstract']}{row['LLM']}"
        texts.setdefault(group, {})[row["ID"]] = row["User story"].strip()
        for other in re.findall(r"A\d+US\d+\w+", row["Unique, us"]):
            first, second = sorted((row["ID"], other))
            links.add((group, first, second))
    known = {link for link in links if {link[1], link[2]} <= texts[link[0]].keys()}
    return measure_links(texts, known, "none")
