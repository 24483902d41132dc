"""Those who start runs, each under a key of its own, and retry; and the people who decide."""

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from threading import Barrier
from typing import TypeVar

from benchmarks.durability.ground import TENANT_NAMES
from benchmarks.durability.records import Records
from benchmarks.durability.session import asked
from veridical.contracts.person import NO_APPROVALS, Approvals
from veridical.runs.errors import AlreadyDecidedError
from veridical.runs.inbox import Inbox
from veridical.runs.inbox_item import Decider, InboxEntry, Ruling
from veridical.runs.port import Runs
from veridical.runs.retry import retry

PEOPLE = {"bea": True, "carlo": False}
"""Each with what they always say."""
_PAGE = 500


@dataclass(frozen=True)
class Ruled:
    """What became of one question to people."""

    run_id: str
    accepted: tuple[str, ...]
    """Whose decision was taken: one of them, if all is well."""


@dataclass(frozen=True)
class People:
    """Decide what lies in the inbox."""

    inbox: Inbox
    ruled: list[Ruled] = field(default_factory=list[Ruled])

    def pending(self) -> list[InboxEntry]:
        """What lies there, the oldest first."""
        found: list[InboxEntry] = []
        for tenant in TENANT_NAMES:
            found += patiently(partial(self.inbox.entries, tenant, _PAGE))
        return sorted(found, key=lambda entry: entry.asked_at)

    def decide(self, entry: InboxEntry) -> None:
        """Let both speak at once."""
        together = Barrier(len(PEOPLE))
        with ThreadPoolExecutor(len(PEOPLE)) as pool:
            said = {name: pool.submit(self._say, name, entry, together) for name in PEOPLE}
        accepted = [name for name, taken in said.items() if taken.result()]
        self.ruled.append(Ruled(entry.run_id, tuple(accepted)))

    def _say(self, name: str, entry: InboxEntry, together: Barrier) -> bool:
        """Whether this decision was taken. Who gets no reply asks again, and is told the same."""
        decider = Decider(entry.tenant, name, may_decide=True)
        ruling = Ruling(approved=PEOPLE[name], evidence_hash=entry.evidence_hash)
        together.wait()
        try:
            patiently(lambda: self.inbox.decide(entry.id, decider, ruling))
        except AlreadyDecidedError:
            return False
        return True


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
