"""Those who start runs, and retry when the database is away: each run under a key of its own."""

import asyncio
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from benchmarks.durability.ground import TENANT_NAMES
from benchmarks.durability.records import Records
from benchmarks.durability.session import asked
from veridical.contracts.approvals import NO_APPROVALS, Approvals
from veridical.runs.port import Runs
from veridical.runs.retry import retry

PLAIN, GUARDED, UNATTENDED = "plain", "guarded", "unattended"
"""The kinds of runs: those that wait for nobody; for a person who comes; for one who does not."""
ASKED_BY = "anna"
_BACKLOG = 40
_LOOK_SECONDS = 0.1

Result = TypeVar("Result")


def patiently(action: Callable[[], Result]) -> Result:
    """What the action gives, tried until the database is there."""
    return asyncio.run(retry(action))


@dataclass(frozen=True)
class Callers:
    """Start runs, and keep the workers busy for as long as they are wanted to."""

    runs: Runs
    records: Records
    patience_seconds: float
    started: dict[str, list[str]] = field(
        default_factory=lambda: {kind: [] for kind in (PLAIN, GUARDED, UNATTENDED)}
    )
    """By kind: the runs that somebody was told of."""
    enough: threading.Event = field(default_factory=threading.Event)

    def start(self, kind: str, approvals: Approvals = NO_APPROVALS) -> None:
        """One run; who gets no reply says it again under the same key."""
        number = len(self.started[kind])
        tenant = TENANT_NAMES[number % len(TENANT_NAMES)]
        key = f"{kind}-{number}"
        state = patiently(lambda: self.runs.start(asked(approvals), tenant, ASKED_BY, key))
        self.started[kind].append(state.run_id)

    def keep_busy(self, at_least: int) -> None:
        """Start so many runs, and more until it is enough; never far ahead of the workers."""
        last = time.monotonic()
        while len(self.started[PLAIN]) < at_least or not self.enough.is_set():
            room = _BACKLOG - patiently(lambda: self.records.unfinished(PLAIN))
            for _ in range(room):
                self.start(PLAIN)
                last = time.monotonic()
            if time.monotonic() - last > self.patience_seconds:
                return
            time.sleep(_LOOK_SECONDS)
