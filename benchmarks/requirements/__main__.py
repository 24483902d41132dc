"""Requirements review: ``python -m benchmarks.requirements --set FILE --pairs FILE --json``.

``--set``: JSON lines with ``text``, ``lang`` and ``labels`` (``rule``, ``span``): precision and
recall of the findings by rule and language, and requirements a second. A finding counts where it
overlaps the label's span, each label once. ``--pairs``: JSON lines with ``a``, ``b`` and ``kind``:
the confusion of kinds, and how many conflicts were called duplicates.
"""

import argparse
import json
from pathlib import Path
from typing import Any

from benchmarks.requirements.labelled import measure_set
from benchmarks.requirements.pairs import measure_pairs


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(prog="requirements", description=__doc__)
    parser.add_argument("--set", type=Path, nargs="*", default=[], help="labelled requirements")
    parser.add_argument("--pairs", type=Path, nargs="*", default=[], help="labelled pairs")
    parser.add_argument("--misses", action="store_true", help="print what differs from the labels")
    parser.add_argument("--json", action="store_true", help="print the JSON object only")
    chosen = parser.parse_args()
    found: dict[str, Any] = {}
    if chosen.set:
        found |= measure_set(_lines(chosen.set), misses=chosen.misses)
    if chosen.pairs:
        found |= measure_pairs(_lines(chosen.pairs), misses=chosen.misses)
    print(json.dumps(found) if chosen.json else json.dumps(found, indent=2))


def _lines(paths: list[Path]) -> list[dict[str, Any]]:
    return [
        json.loads(line)
        for path in paths
        for line in path.read_text("utf-8").splitlines()
        if line.strip()
    ]


if __name__ == "__main__":
    main()
