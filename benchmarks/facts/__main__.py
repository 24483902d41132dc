"""Facts under test: what the host computes, computed again by somebody else.

    python -m benchmarks.facts --json

``random``: random facts of every form over random evidence, and over recorded evidence where
``--data`` has it. Each claim is computed again by SQL on DuckDB from the typed cells, by code that
shares nothing with the host's kernel. ``host_false`` are facts whose values differ, ``misprinted``
exact sentences with a number that is none of their fact's, ``wrongly_refused`` facts that were
refused for a reason that does not hold, ``crashed`` those that raised something else.

``cost``: ``few_p95_ms`` and ``many_p95_ms`` are the 95th percentile of reading, computing and
wording the facts of one answer, nothing of it known from before; ``hostile_max_ms`` is the slowest
answer of 100,000 signs that asks for as much work as it can.

``--set FILE...``: answers and lies that others wrote, lines {id, language, question, evidence,
answer}; a line with ``false`` is a lie. ``accepted`` at once, ``honest_marked`` of the sentences,
``lies_caught`` by the finite checks alone. ``--prompt FILE`` prints what a model is shown.

``--smoke`` takes a sample of everything. The last line printed is one JSON object. Where a fact is
false the command fails; how long things take fails nothing.
"""

import argparse
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from benchmarks.command import command, show
from benchmarks.facts import answers, cost, random_facts
from benchmarks.facts.random_facts import FULL, SMOKE, Size

MUST_BE_ZERO = ("host_false", "misprinted", "wrongly_refused", "crashed")
Part = Callable[[argparse.Namespace, Size], dict[str, Any]]


def random_part(options: argparse.Namespace, size: Size) -> dict[str, Any]:
    """Random facts against the database."""
    return random_facts.run(size, options.seed, options.data)


def cost_part(options: argparse.Namespace, size: Size) -> dict[str, Any]:
    """Time of an answer's facts."""
    return cost.run(size, options.seed)


PARTS: Mapping[str, Part] = {"random": random_part, "cost": cost_part}


def main() -> None:
    """Print the figures; the last line is one JSON object."""
    parser = command(__doc__, smoke="little of it: does it work at all")
    parser.add_argument("--only", action="append", choices=list(PARTS), help="a part of it")
    parser.add_argument("--seed", type=int, default=1, help="other facts of the same kind")
    parser.add_argument("--data", type=Path, help="the folder with wild_answers/*.jsonl")
    parser.add_argument("--set", type=Path, nargs="+", help="files of answers, judged alone")
    parser.add_argument("--prompt", type=Path, help="print what a model is shown for each line")
    options = parser.parse_args()
    if options.prompt:
        for line in answers.lines_of([options.prompt], options.data):
            print(answers.prompt(line))
        return
    if options.set:
        print(json.dumps(answers.figures(answers.lines_of(options.set, options.data))))
        return
    size = SMOKE if options.smoke else FULL
    found: dict[str, Any] = {}
    for name, part in PARTS.items():
        if not options.only or name in options.only:
            found |= part(options, size)
    show(found, options, MUST_BE_ZERO)


if __name__ == "__main__":
    main()
