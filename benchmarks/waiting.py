"""What runs cost that wait for a person: nothing, if nobody waits for them in turn.

    python -m benchmarks.waiting --json

One worker process lives 10,000 runs up to the point where each needs a person. ``rss_mb``,
``threads``, ``connections`` and ``slots`` (runs that the worker holds) are compared: once it is
warm, and with all of them waiting. ``idle_cpu_percent`` is its processor time meanwhile, of one
core. Then some are decided one after the other: ``wake_ms`` is the time from a decision to the
answer. Progress goes to standard error; the last line printed is one JSON object.
"""

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import psutil
from rich.console import Console
from rich.progress import Progress
from sqlalchemy import text

from benchmarks.command import command, show
from benchmarks.durability.fleet import open_fleet
from benchmarks.durability.ground import TENANT_NAMES, Orders, open_ground
from benchmarks.durability.session import CALLS, KNOWN_QUESTION, asked
from veridical.runs.inbox import Inbox
from veridical.runs.inbox_item import Decider, InboxEntry, Ruling
from veridical.runs.port import Runs, open_runs
from veridical.store.connection import Store

_TENANT = TENANT_NAMES[0]
_BEA = Decider(_TENANT, "bea", may_decide=True)
_STARTERS = 4
_SETTLE_SECONDS = 3.0
_LOOK_SECONDS = 0.25
_LOOK_OFTEN_SECONDS = 0.01
_PATIENCE = 1800.0
_CONNECTIONS = text("""
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend'
        AND pid <> pg_backend_pid()
""")
_MEGA = 1024 * 1024


class Size(NamedTuple):
    """How much is measured."""

    warm: int
    """Runs that wait before the first look."""
    waiting: int
    decided: int
    idle_seconds: float


FULL = Size(warm=1_000, waiting=10_000, decided=100, idle_seconds=20.0)
SMOKE = Size(warm=20, waiting=60, decided=5, idle_seconds=2.0)


@dataclass(frozen=True)
class Scene:
    """One worker, and those who start runs and decide."""

    runs: Runs
    inbox: Inbox
    worker: psutil.Process
    bar: Progress

    def fill(self, before: int, number: int) -> float:
        """Start runs until so many wait; the seconds that it took."""
        began = time.monotonic()
        with ThreadPoolExecutor(_STARTERS) as starters:
            for begun in [starters.submit(self._start) for _ in range(number - before)]:
                begun.result()
        task = self.bar.add_task("runs wait", total=number)

        def all_wait() -> bool:
            waiting = self.runs.load().waiting
            self.bar.update(task, completed=waiting)
            return waiting >= number

        _until(all_wait, _LOOK_SECONDS)
        return time.monotonic() - began

    def look(self, size: Size) -> dict[str, float]:
        """What the worker holds when nothing happens."""
        time.sleep(_SETTLE_SECONDS)
        worker = self.worker
        began = worker.cpu_times()
        time.sleep(size.idle_seconds)
        ended = worker.cpu_times()
        spent = ended.user + ended.system - began.user - began.system
        return {
            "rss_mb": round(worker.memory_info().rss / _MEGA, 1),
            "threads": worker.num_threads(),
            "connections": self._connections(),
            "slots": self.runs.load().running,
            "idle_cpu_percent": round(100 * spent / size.idle_seconds, 1),
        }

    def wake(self, number: int) -> list[float]:
        """Milliseconds from a decision to the answer, for some that wait."""
        entries = self.inbox.entries(_TENANT, number)
        task = self.bar.add_task("decisions", total=len(entries))
        taken: list[float] = []
        for entry in entries:
            taken.append(self._wake(entry))
            self.bar.advance(task)
        return taken

    def _wake(self, entry: InboxEntry) -> float:
        began = time.perf_counter()
        self.inbox.decide(entry.id, _BEA, Ruling(approved=True, evidence_hash=entry.evidence_hash))
        _until(lambda: self._is_done(entry.run_id), _LOOK_OFTEN_SECONDS)
        return 1000 * (time.perf_counter() - began)

    def _is_done(self, run_id: str) -> bool:
        state = self.runs.state(run_id, _TENANT)
        return state is not None and state.status.is_final

    def _start(self) -> None:
        self.runs.start(asked(CALLS, KNOWN_QUESTION), _TENANT, "anna")

    def _connections(self) -> int:
        """The worker's: our own are let go of first."""
        self.runs.store.engine.dispose()
        with self.runs.store.engine.connect() as connection:
            return int(connection.scalar(_CONNECTIONS) or 0)


def figures(size: Size) -> dict[str, Any]:
    """All figures."""
    console = Console(file=sys.stderr)
    with (
        tempfile.TemporaryDirectory(prefix="veridical-waiting-") as scratch,
        Progress(console=console, disable=not console.is_terminal) as bar,
        open_ground(Path(scratch) / "pg") as ground,
    ):
        orders = Orders(
            runs_url=ground.runs_url,
            books_url=ground.books_url,
            scratch=scratch,
            lease_seconds=30,
            evidence_seconds=3600,
        )
        store = Store(ground.runs_url)
        with open_runs(orders.settings, store) as runs, open_fleet(orders, 1, _PATIENCE) as fleet:
            worker = psutil.Process(fleet.posts[0].process.pid)
            found = measure(Scene(runs, Inbox(store), worker, bar), size)
        store.close()
    return found


def measure(scene: Scene, size: Size) -> dict[str, Any]:
    """The worker warm, the worker with all runs waiting, and how soon they go on."""
    scene.fill(0, size.warm)
    before = scene.look(size)
    seconds = scene.fill(size.warm, size.waiting)
    after = scene.look(size)
    taken = scene.wake(size.decided)
    return {
        "waiting": size.waiting,
        **{f"{name}_before": value for name, value in before.items()},
        **{f"{name}_after": value for name, value in after.items()},
        "runs_per_second": round((size.waiting - size.warm) / seconds, 1),
        "decided": len(taken),
        "wake_ms_median": round(statistics.median(taken), 1),
        "wake_ms_max": round(max(taken), 1),
    }


def _until(holds: Callable[[], bool], look_seconds: float) -> None:
    end = time.monotonic() + _PATIENCE
    while not holds():
        if time.monotonic() > end:
            raise TimeoutError("the worker does not get on")
        time.sleep(look_seconds)


def main() -> None:
    """Print the figures; the last line is one JSON object."""
    parser = command(__doc__, smoke="few runs: does it work at all")
    options = parser.parse_args()
    found = figures(SMOKE if options.smoke else FULL)
    show(found, options)


if __name__ == "__main__":
    main()
