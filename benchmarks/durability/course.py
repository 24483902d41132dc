"""The whole story: runs that wait, runs that work, and everything that goes wrong meanwhile."""

import random
import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from rich.progress import Progress

from benchmarks.durability.callers import GUARDED, PLAIN, UNATTENDED, Callers, People, patiently
from benchmarks.durability.fleet import Disturbance, Disturbances, Fleet, open_fleet
from benchmarks.durability.ground import Fault, Ground, Orders, Size, open_ground
from benchmarks.durability.records import Records
from benchmarks.durability.session import BOTH, CALLS, EVIDENCE
from benchmarks.durability.tally import Course, count
from veridical.runs.inbox import Inbox
from veridical.runs.inbox_item import InboxEntry
from veridical.runs.port import open_runs
from veridical.store.connection import Store

WORKERS = 2
_NEXT_RELEASE = 2
_LOOK_SECONDS = 0.25
_AFTER_THE_END = 2.0
_SHOWN_AS_WELL = 3
"""Every third run that needs an approval for a call has its evidence shown, too."""


def measure(size: Size, folder: Path, seed: int, bar: Progress, fault: Fault) -> dict[str, Any]:
    """The figures of one course of events; a fault is built in on purpose."""
    with open_ground(folder / "pg") as ground:
        orders = Orders(
            runs_url=ground.runs_url,
            books_url=ground.books_url,
            scratch=str(folder),
            lease_seconds=size.lease_seconds,
            evidence_seconds=size.evidence_seconds,
            fault=fault,
        )
        store = Store(ground.runs_url)
        records = Records(store)
        with (
            open_runs(orders.settings, store) as runs,
            open_fleet(orders, WORKERS, size.patience_seconds) as fleet,
        ):
            callers = Callers(runs, records, size.patience_seconds)
            people = People(Inbox(store))
            found = Stage(size, ground, fleet, callers, people, records, bar).play(seed)
        store.close()
        return found


@dataclass(frozen=True)
class Stage:
    """All who take part."""

    size: Size
    ground: Ground
    fleet: Fleet
    callers: Callers
    people: People
    records: Records
    bar: Progress
    over: threading.Event = field(default_factory=threading.Event)

    def play(self, seed: int) -> dict[str, Any]:
        """All acts, and what came of them."""
        began = time.monotonic()
        self._let_wait(GUARDED, self.size.approvals)
        waiting = self.people.pending()
        disturbances = Disturbances(self.fleet, self.ground, self.size, random.Random(seed))
        order = disturbances.order()
        half = len(order) // 2
        with self._busy(), self._deciding(waiting[::2]):
            self._disturb(disturbances, order[:half])
            at_deployment = patiently(self.records.waiting)
            self.fleet.deploy(_NEXT_RELEASE)
            first_after = len(self.callers.started[PLAIN])
            self._disturb(disturbances, order[half:])
        for entry in waiting[1::2]:
            self.people.decide(entry)
        self._let_end(PLAIN, GUARDED)
        back_at = self._leave_alone()
        course = Course(
            started=frozenset(run for runs in self.callers.started.values() for run in runs),
            ruled=self.people.ruled,
            at_deployment=at_deployment,
            first_after_deployment=first_after,
            workers_back_at=back_at,
        )
        signed_on = self.records.signed_on(back_at)
        return {
            **count(self.records.runs(), self.records.effects(), course),
            "worker_start_s": signed_on and round((signed_on - back_at).total_seconds(), 1),
            "torn_traces": self.records.torn_traces(),
            "taken_over": self.records.taken_over(),
            "worker_kills": disturbances.counts[Disturbance.KILL],
            "database_crashes": disturbances.counts[Disturbance.CRASH],
            "worker_freezes": disturbances.counts[Disturbance.FREEZE],
            "workers_started": sum(post.started for post in self.fleet.posts),
            "wall_seconds": round(time.monotonic() - began, 1),
        }

    def _let_wait(self, kind: str, number: int) -> None:
        """Start runs that need a person, and see them wait."""
        for each in range(number):
            if kind == UNATTENDED:
                self.callers.start(kind, EVIDENCE)
            else:
                self.callers.start(kind, CALLS if each % _SHOWN_AS_WELL else BOTH)
        mine = frozenset(self.callers.started[kind])
        self._watch(f"{kind} runs wait", number, lambda: len(mine & self.records.waiting()))

    @contextmanager
    def _busy(self) -> Generator[None]:
        """Runs go on during the block, and until there were enough."""
        feeding = threading.Thread(
            target=self.callers.keep_busy, args=(self.size.runs,), daemon=True
        )
        feeding.start()
        try:
            yield
        finally:
            self.callers.enough.set()
        feeding.join()  # after an error nobody waits: a database that is gone feeds nobody

    @contextmanager
    def _deciding(self, entries: Sequence[InboxEntry]) -> Generator[None]:
        """People decide these during the block, at any time; what is left, at its end."""
        chance = random.Random()

        def decide() -> None:
            for entry in entries:
                self.over.wait(chance.uniform(0, self.size.quiet_seconds))
                self.people.decide(entry)

        deciding = threading.Thread(target=decide)
        deciding.start()
        try:
            yield
        finally:
            self.over.set()
            deciding.join()

    def _disturb(self, disturbances: Disturbances, order: Sequence[Disturbance]) -> None:
        task = self.bar.add_task("disturbances", total=len(order))
        for _ in disturbances.happen(order):
            self.bar.advance(task)

    def _leave_alone(self) -> datetime:
        """Let time run out while no worker is there; when the workers came back."""
        self._let_wait(UNATTENDED, self.size.unattended)
        self.fleet.take_down()
        end = self.records.last_end()
        left = (end - self.records.now()).total_seconds() + _AFTER_THE_END
        time.sleep(max(left, 0.0))
        back_at = self.records.now()
        self.fleet.bring_up()
        self._let_end(UNATTENDED)
        return back_at

    def _let_end(self, *kinds: str) -> None:
        number = sum(len(self.callers.started[kind]) for kind in kinds)
        self._watch(
            f"{' and '.join(kinds)} runs end",
            number,
            lambda: number - sum(map(self.records.unfinished, kinds)),
        )

    def _watch(self, title: str, wanted: int, reached: Callable[[], int]) -> None:
        """Wait until so many are there, or until nothing has happened for too long. That a worker
        has come is something: on a busy machine it takes its time to."""
        task = self.bar.add_task(title, total=wanted)
        before: tuple[int, datetime | None] = (-1, None)
        changed_at = time.monotonic()
        while before[0] < wanted and time.monotonic() - changed_at < self.size.patience_seconds:
            now = patiently(lambda: (reached(), self.records.newest_worker()))
            if now != before:
                before, changed_at = now, time.monotonic()
                self.bar.update(task, completed=now[0])
            time.sleep(_LOOK_SECONDS)
