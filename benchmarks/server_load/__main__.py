"""The server and its workers under load, and what they cost beside doing without them.

    python -m benchmarks.server_load --json

Server, worker, watchers and whoever asks are processes of their own, on a PostgreSQL that writes to
disk. The model is scripted and answers at once.

``watchers`` streams are open at the same time when a worker begins with their runs; every second
watcher is cut off now and then and takes up again with ``Last-Event-ID``. What each of them saw is
held against what the database holds: ``lost_events``, ``duplicate_events``, ``disordered_events``,
``altered_events``. ``p50_ms`` and ``p95_ms`` are of requests that wait for nobody, meanwhile: show
a run, show the ontology, ask a known question.

``http_ratio`` is a known question over HTTP ÷ a bare FastAPI route that sends the same SQL, asked
in turns by one client; no question comes twice. ``dbos_ratio`` is a run ÷ a bare DBOS workflow with
the same steps on the same queue, in turns, from the first start to the last end. Both are medians
of the turns. ``http_cpu_ratio`` and ``dbos_cpu_ratio`` compare the processor time of server and
worker instead, which other work on the machine hardly changes.

``fairness_ratio`` is the 95th percentile of a small tenant's runs, from start to done, beside a
tenant with hundreds of runs in the queue ÷ alone. Progress goes to standard error; the last line
printed is one JSON object. Where a watcher missed something, or saw it twice, out of order or
altered, the command fails; how long things take fails nothing.
"""

import logging
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.console import Console

from benchmarks.command import command, show
from benchmarks.server_load.asking import asking
from benchmarks.server_load.fairness import fairness
from benchmarks.server_load.ground import FULL, SMOKE, Ground, Size, open_ground
from benchmarks.server_load.running import running
from benchmarks.server_load.watching import watching

Part = Callable[[Ground, Size], dict[str, Any]]
PARTS: dict[str, Part] = {
    "watching": watching,
    "asking": asking,
    "running": running,
    "fairness": fairness,
}

MUST_BE_ZERO = ("lost_events", "duplicate_events", "disordered_events", "altered_events")


def figures(size: Size, parts: tuple[str, ...] = tuple(PARTS)) -> dict[str, Any]:
    """All figures of these parts."""
    logging.getLogger("veridical").setLevel(logging.ERROR)
    console = Console(file=sys.stderr)
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="vload-") as scratch, open_ground(Path(scratch)) as at:
        for name in parts:
            with console.status(name):
                found |= PARTS[name](at, size)
    return found


def main() -> None:
    """Print the figures; the last line is one JSON object."""
    parser = command(__doc__, smoke="little load: does it work at all")
    parser.add_argument("--only", action="append", choices=list(PARTS), help="a part of it")
    options = parser.parse_args()
    parts = tuple(options.only or PARTS)
    found = figures(SMOKE if options.smoke else FULL, parts)
    show(found, options, MUST_BE_ZERO)


if __name__ == "__main__":
    main()
