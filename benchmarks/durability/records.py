"""What the database says of the runs."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import text

from veridical.contracts.answer import Answer
from veridical.runs.state import RunStatus
from veridical.store.connection import Store
from veridical.trace.event_json import restored

_UNFINISHED = """
    SELECT count(*) FROM veridical.run_requests
    WHERE idempotency_key LIKE :kind || '-%' AND status NOT IN ('done', 'failed', 'cancelled')
"""
_ENDED = "SELECT count(*) FROM veridical.run_requests WHERE finished_at IS NOT NULL"
_WAITING = "SELECT run_id FROM veridical.run_requests WHERE status = 'waiting'"
_RUNS = """
    SELECT run_id, idempotency_key, status, answer, finished_at FROM veridical.run_requests
"""
_EFFECTS = "SELECT key, count(*) FROM public.counted_effects GROUP BY key"
_TAKEN_OVER = "SELECT count(*) FROM dbos.workflow_status WHERE recovery_attempts > 1"
_TORN = """
    SELECT count(*) FROM (
        SELECT trace_id FROM veridical.events GROUP BY trace_id
        HAVING count(*) <> max(sequence) + 1 OR count(*) FILTER (WHERE kind = 'answered') <> 1
    ) AS torn
"""
_SIGNED_ON = "SELECT min(started_at) FROM veridical.workers WHERE started_at > :since"
_NEWEST = "SELECT max(started_at) FROM veridical.workers"
_LAST_END = "SELECT coalesce(max(expires_at), now()) FROM veridical.inbox WHERE kind = 'evidence'"


@dataclass(frozen=True)
class Record:
    """One run when all is over."""

    run_id: str
    key: str
    status: RunStatus
    answer: Answer | None
    finished_at: datetime | None

    @property
    def kind(self) -> str:
        return self.key.rpartition("-")[0]

    @property
    def number(self) -> int:
        return int(self.key.rpartition("-")[2])


@dataclass(frozen=True)
class Records:
    """Asked as the owner of the database, who sees all of it."""

    store: Store

    def runs(self) -> tuple[Record, ...]:
        """All runs."""
        return tuple(
            Record(run_id, key, RunStatus(status), answer and _answer(answer), finished_at)
            for run_id, key, status, answer, finished_at in self._rows(_RUNS)
        )

    def effects(self) -> Counter[str]:
        """How often each was done."""
        return Counter(dict(self._rows(_EFFECTS)))

    def unfinished(self, kind: str) -> int:
        """Runs of this kind that have not ended."""
        return self._one(_UNFINISHED, kind=kind)

    def ended(self) -> int:
        """Runs that have."""
        return self._one(_ENDED)

    def waiting(self) -> frozenset[str]:
        """Runs that wait for a person."""
        return frozenset(row[0] for row in self._rows(_WAITING))

    def taken_over(self) -> int:
        """Lives that more than one worker worked on."""
        return self._one(_TAKEN_OVER)

    def torn_traces(self) -> int:
        """Runs whose events have a gap, or no end."""
        return self._one(_TORN)

    def last_end(self) -> datetime:
        """When nobody has time left to look at evidence."""
        return self._one(_LAST_END)

    def signed_on(self, since: datetime) -> datetime | None:
        """When the first worker was there again, of those that are there now."""
        return self._one(_SIGNED_ON, since=since)

    def newest_worker(self) -> datetime | None:
        """When the worker came that came last, of those that are there now."""
        return self._one(_NEWEST)

    def now(self) -> datetime:
        """The database's clock."""
        return self._one("SELECT clock_timestamp()")

    def _one(self, sql: str, **values: object) -> Any:
        return self._rows(sql, **values)[0][0]

    def _rows(self, sql: str, **values: object) -> list[Any]:
        with self.store.engine.begin() as connection:
            return [tuple(row) for row in connection.execute(text(sql), values)]


def _answer(stored: Any) -> Answer:
    return Answer.model_validate(restored(stored))
