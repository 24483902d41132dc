"""Answers over unseen domains: ``python -m benchmarks.wild_answers --set FILE... --json``."""

import argparse
import json
from pathlib import Path

from benchmarks.wild_answers.figures import figures, judge
from benchmarks.wild_answers.items import Half, Item, read_items
from veridical import gate
from veridical.contracts.proof import Proof


def main() -> None:
    """Prints the figures; with ``--misses``, each true answer that is held back and why."""
    parser = argparse.ArgumentParser(prog="wild_answers", description=__doc__)
    parser.add_argument("--set", type=Path, nargs="+", required=True, help="JSON lines")
    parser.add_argument("--half", type=Half, choices=list(Half), default=Half.ALL)
    parser.add_argument("--wordings", action="store_true", help="the gate that reads wordings")
    parser.add_argument("--misses", action="store_true", help="true answers that are held back")
    parser.add_argument("--json", action="store_true", help="print the JSON object only")
    chosen = parser.parse_args()
    items = read_items(chosen.set, chosen.half)
    strict = judge(items, _by_wordings if chosen.wordings else _strict)
    mark = judge(items, _by_wordings if chosen.wordings else _mark)
    found = figures(strict, mark)
    if chosen.misses:
        for item, proof, _ in strict:
            if item.is_good and not proof.ok:
                print(item.id, [finding.claim for finding in proof.findings])
    print(json.dumps(found) if chosen.json else json.dumps(found, indent=2))


def _strict(item: Item) -> Proof:
    return gate.check(item.answer, item.evidence, question=item.question, policy="strict")


def _mark(item: Item) -> Proof:
    return gate.check(item.answer, item.evidence, question=item.question, policy="mark")


def _by_wordings(item: Item) -> Proof:
    return gate.check(item.answer, item.evidence, question=item.question, policy="wordings")


if __name__ == "__main__":
    main()
