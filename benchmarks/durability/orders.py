"""What a worker process is told when it is started."""

from enum import StrEnum

from veridical.contracts.wire import Wire
from veridical.runs.inbox_deadlines import InboxDeadlines
from veridical.runs.settings import RunsSettings


class Fault(StrEnum):
    """What can be broken on purpose, to see that the figures show it."""

    NONE = "none"
    NO_REAPER = "no_reaper"
    """nobody takes over the runs of a dead worker"""
    PLAIN_EFFECTS = "plain_effects"
    """an effect and the note that it was done are two transactions"""


class Orders(Wire):
    """Where a worker works, with which code, and how patient everybody is."""

    runs_url: str
    books_url: str
    scratch: str
    """Where a worker leaves a file once it is at work."""
    lease_seconds: float
    evidence_seconds: float
    """How long people have to look at evidence before it counts as approved."""
    release: int = 1
    fault: Fault = Fault.NONE

    @property
    def settings(self) -> RunsSettings:
        """The settings of the runs: quick to notice, quick to stop."""
        return RunsSettings(
            database_url=self.runs_url,
            lease_seconds=self.lease_seconds,
            poll_seconds=0.1,
            stop_seconds=5,
            worker_concurrency=8,
            deadlines=InboxDeadlines(
                evidence=self.evidence_seconds / 3600, approve_unanswered=("evidence",)
            ),
        )
