"""Annotated texts: ``python -m benchmarks.annotation --set FILE --json``.

A line of the file is a true text with its evidence and an honest annotation of it: ``id``,
``lang``, ``question``, ``evidence``, ``answer`` and ``annotation``. Prints how many true texts are
proven by their annotation, and how many wrong ones, made from those, by a cheat.
"""

import argparse
import json
from collections import Counter
from dataclasses import asdict
from pathlib import Path

from benchmarks.annotation.measure import AnnotatedItem, Measured, measure


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(prog="annotation", description=__doc__)
    parser.add_argument("--set", type=Path, nargs="+", required=True, help="JSON lines")
    parser.add_argument("--misses", action="store_true", help="what is refused, what passes")
    parser.add_argument("--json", action="store_true", help="print the JSON object only")
    chosen = parser.parse_args()
    items = [
        AnnotatedItem.read(json.loads(line))
        for path in chosen.set
        for line in path.read_text("utf-8").splitlines()
        if line.strip()
    ]
    found = list(measure(items))
    if chosen.misses:
        for each in found:
            print(each.id, "accepted" if each.accepted else each.reasons)
            for survivor in each.proven:
                print("   PROVEN", asdict(survivor))
    told = summary(found)
    print(json.dumps(told) if chosen.json else json.dumps(told, indent=2))


def summary(found: list[Measured]) -> dict[str, object]:
    """The figures of all items."""
    made = Counter(kind for each in found for kind in each.made)
    proven = Counter(each.kind for item in found for each in item.proven)
    total = sum(made.values())
    return {
        "texts": len(found),
        "true texts proven": sum(each.accepted for each in found),
        "expressions tried, mean": round(sum(each.tried for each in found) / max(1, len(found))),
        "wrong texts": total,
        "proven by the cheat": sum(proven.values()),
        "share proven": round(sum(proven.values()) / max(1, total), 4),
        "by kind": {kind: {"made": made[kind], "proven": proven[kind]} for kind in sorted(made)},
    }


if __name__ == "__main__":
    main()
