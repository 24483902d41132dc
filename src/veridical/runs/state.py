"""The state of a run as its tenant sees it, and the events that watchers get."""

from datetime import datetime
from enum import StrEnum

from veridical.contracts.answer import Answer
from veridical.contracts.step import Progress
from veridical.contracts.trace import Event
from veridical.contracts.wire import Wire


class RunStatus(StrEnum):
    """Status of a run."""

    QUEUED = "queued"
    RUNNING = "running"
    WAITING = "waiting"
    """for a person"""
    DONE = "done"
    FAILED = "failed"
    """it broke; there is an answer that says so"""
    CANCELLED = "cancelled"

    @property
    def is_final(self) -> bool:
        """True when nothing more will happen."""
        return self in FINAL


FINAL = frozenset({RunStatus.DONE, RunStatus.FAILED, RunStatus.CANCELLED})


class RunState(Wire):
    """One run as its tenant sees it."""

    run_id: str
    tenant: str
    asked_by: str
    feature: str
    status: RunStatus
    created_at: datetime
    finished_at: datetime | None = None
    answer: Answer | None = None
    error: str | None = None
    """A code, for a run that failed."""
    waiting_for: str | None = None
    """The inbox item that a waiting run needs decided."""


class WatchedEvent(Wire):
    """One event of a run, as a watcher gets it."""

    sequence: int | None
    """The place in the run's trace; none for progress, which is not kept."""
    event: Event | Progress
