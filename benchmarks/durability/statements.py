"""Long statements whose workers are killed and frozen: what PostgreSQL itself says of them.

A statement is known by the name of its step. The server's list of what runs is read many times a
second, so that two of one name side by side are seen, and those that nobody waits for any more.
"""

import random
import threading
import time
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg
from psycopg.sql import SQL, Identifier
from rich.progress import Progress

from benchmarks.durability.callers import ASKED_BY, patiently
from benchmarks.durability.fleet import Fleet, open_fleet
from benchmarks.durability.ground import TENANT_NAMES, Fault, Ground, Orders, Size, open_ground
from benchmarks.durability.records import Records
from benchmarks.durability.session import KNOWN_QUESTION, asked
from veridical.runs.port import Runs, open_runs
from veridical.runs.state import RunStatus
from veridical.sample.books import READER
from veridical.store.connection import Store

WORKERS = 2
MUST_BE_ZERO = ("statements_lost", "statements_run_twice", "orphans")
_KIND = "long"
_AT_ONCE = 4
"""Runs that are under way while workers are killed."""
_LOOK_SECONDS = 0.05
_PART = 0.1, 0.8
"""How much of a statement is over when its worker is killed."""
_LEASES = 1.6, 2.5
"""How long a frozen worker is silent."""
_NAMED = """
    SELECT application_name, pid, query_start,
        extract(epoch FROM clock_timestamp() - query_start)::float
    FROM pg_stat_activity
    WHERE application_name LIKE 'veridical:%' AND state = 'active'
        AND backend_type = 'client backend'
"""


@dataclass
class Watch:
    """What was seen to run on the engine."""

    url: str
    seconds: dict[tuple[str, int, object], float] = field(
        default_factory=dict[tuple[str, int, object], float]
    )
    """By statement: how long it ran, when it was last seen."""
    twice: set[str] = field(default_factory=set[str])
    """Names of which two ran side by side."""
    running: int = 0
    _over: threading.Event = field(default_factory=threading.Event)

    def look(self) -> None:
        """Look until it is over."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            while not self._over.wait(_LOOK_SECONDS):
                rows = connection.execute(SQL(_NAMED)).fetchall()
                self.seconds |= {(name, pid, start): ran for name, pid, start, ran in rows}
                by_name = Counter(name for name, *_ in rows)
                self.twice |= {name for name, times in by_name.items() if times > 1}
                self.running = len(rows)

    @contextmanager
    def looking(self) -> Generator[None]:
        """Looks during the block."""
        thread = threading.Thread(target=self.look, daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._over.set()
            thread.join()


def measure_statements(
    size: Size, folder: Path, seed: int, bar: Progress, fault: Fault
) -> dict[str, Any]:
    """The figures of runs with long statements."""
    with open_ground(folder / "statements") as ground:
        _let_sleep(ground)
        orders = Orders(
            runs_url=ground.runs_url,
            books_url=ground.books_url,
            scratch=str(folder),
            lease_seconds=size.lease_seconds,
            evidence_seconds=size.evidence_seconds,
            statement_seconds=size.statement_seconds,
            fault=fault,
        )
        store = Store(ground.runs_url)
        watch = Watch(ground.books_url)
        with (
            watch.looking(),
            open_runs(orders.settings, store) as runs,
            open_fleet(orders, WORKERS, size.patience_seconds) as fleet,
        ):
            story = _Story(size, runs, Records(store), fleet, watch, random.Random(seed))
            found = story.play(bar)
        store.close()
        return found


def _let_sleep(ground: Ground) -> None:
    """A reader may not sleep; here its statements do, so that they take as long as they should."""
    with psycopg.connect(ground.books_url, autocommit=True) as connection:
        sleep = SQL("GRANT EXECUTE ON FUNCTION pg_sleep(double precision) TO {}")
        connection.execute(sleep.format(Identifier(READER)))


@dataclass
class _Story:
    size: Size
    runs: Runs
    records: Records
    fleet: Fleet
    watch: Watch
    chance: random.Random
    started: list[str] = field(default_factory=list[str])

    def play(self, bar: Progress) -> dict[str, Any]:
        began = time.monotonic()
        size = self.size
        order = [*["kill"] * size.statement_kills, *["freeze"] * size.statement_freezes]
        self.chance.shuffle(order)
        happened: Counter[str] = Counter()
        task = bar.add_task("long statements", total=len(order))
        for each in order:
            self._keep_busy()
            self._wait(lambda: self.watch.running > 0 and bool(self.fleet.busy()))
            time.sleep(size.statement_seconds * self.chance.uniform(*_PART))
            happened[each] += self._kill() if each == "kill" else self._freeze()
            bar.advance(task)
            bar.console.print(f"{each}: {self._seen()}")
        self._wait(lambda: patiently(lambda: self.records.unfinished(_KIND)) == 0)
        time.sleep(2 * size.lease_seconds)
        done = {each.run_id for each in self.records.runs() if each.status is RunStatus.DONE}
        return {
            "statement_seconds": size.statement_seconds,
            "statement_runs": len(self.started),
            "statement_kills": happened["kill"],
            "statement_freezes": happened["freeze"],
            **self._seen(),
            "statements_lost": len(set(self.started) - done),
            "orphans": self.watch.running,
            "statement_wall_seconds": round(time.monotonic() - began, 1),
        }

    def _seen(self) -> dict[str, int]:
        ran = list(self.watch.seconds)
        return {
            "statements_started": len(ran),
            "statements_needed": len({name for name, *_ in ran}),
            "statements_run_twice": len(self.watch.twice),
        }

    def _keep_busy(self) -> None:
        while patiently(lambda: self.records.unfinished(_KIND)) < _AT_ONCE:
            number = len(self.started)
            tenant = TENANT_NAMES[number % len(TENANT_NAMES)]
            request, key = asked(question=KNOWN_QUESTION), f"{_KIND}-{number}"
            state = patiently(lambda: self.runs.start(request, tenant, ASKED_BY, key))  # noqa: B023 # at once
            self.started.append(state.run_id)

    def _kill(self) -> int:
        return self.fleet.kill([self.chance.choice(self.fleet.busy() or self.fleet.posts)])

    def _freeze(self) -> int:
        seconds = self.size.lease_seconds * self.chance.uniform(*_LEASES)
        post = self.chance.choice(self.fleet.busy() or self.fleet.posts)
        return int(self.fleet.freeze(post, seconds))

    def _wait(self, reached: Any) -> None:
        end = time.monotonic() + self.size.patience_seconds + self.size.statement_seconds
        while not reached() and time.monotonic() < end:
            time.sleep(_LOOK_SECONDS)
