"""Recovers runs without a worker: puts the runs of dead workers back on the queue.

DBOS leaves this to a paid service. Here any worker does it, under a lock that only one of them
holds at a time.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from dbos import DBOSClient
from sqlalchemy import Connection, Row, delete, func, select, text, update

from veridical.contracts.answer import Answer, AnswerKind
from veridical.contracts.language import Language
from veridical.messages import message
from veridical.runs import dbos_tables
from veridical.runs.request import RunRequest, run_of
from veridical.runs.rows import Ending, database_time, ended
from veridical.runs.state import FINAL, RunStatus
from veridical.store.connection import Store, become
from veridical.store.protection import DatabaseRole
from veridical.store.tables import RUN_REQUESTS as RUNS
from veridical.store.tables import WORKERS
from veridical.trace.batch import execute_together, notices
from veridical.trace.event_json import restored

_REAPING = 0x766572726561
"""The key of the lock."""
_LOCK = select(func.pg_try_advisory_xact_lock(_REAPING))
_STARTED_LATELY = text(
    "SELECT pg_postmaster_start_time() > now() - make_interval(secs => :seconds)"
)


def recover_runs(store: Store, client: DBOSClient, lease_seconds: float) -> list[str]:
    """Put the runs of dead workers back on the queue; their workflows.

    No worker is declared dead within a lease of the database's own start: while it was unavailable,
    no worker could send a heartbeat.
    """
    with store.system() as connection:
        if not connection.scalar(_LOCK):
            return []
        if connection.scalar(_STARTED_LATELY, {"seconds": lease_seconds}):
            return []
        silent = func.now() - func.make_interval(0, 0, 0, 0, 0, 0, lease_seconds)
        connection.execute(delete(WORKERS).where(WORKERS.c.seen_at < silent))
        # Who has a run now has signed on before, so is among the living if read after this.
        taken = client.list_workflows(
            status="PENDING", queue_name=dbos_tables.QUEUE, load_input=False, load_output=False
        )
        living = set(connection.scalars(select(WORKERS.c.executor_id)))
        dead = {each.executor_id for each in taken if each.executor_id} - living
        return _requeued(connection, sorted(dead)) if dead else []


def hand_back(store: Store, executor_id: str) -> int:
    """Put this worker's own unfinished runs back on the queue; their number."""
    with store.system() as connection:
        return len(_requeued(connection, [executor_id], forgiven=1))


def release_strays(
    store: Store, executor_id: str, active: Sequence[str], seconds: float
) -> list[str]:
    """Put runs back that this worker claimed so long ago and does not know of.

    Such is a claim whose confirmation was lost with the connection, or a segment that lost its
    database. Each counts as an attempt, so that nothing is retried for ever.
    """
    with store.system() as connection:
        return _requeued(connection, [executor_id], active=active, seconds=seconds)


def wake_due(store: Store) -> int:
    """Queue the delayed runs that are due by the database's clock, whatever a worker's clock
    says."""
    with store.system() as connection:
        become(connection, DatabaseRole.DBOS)
        return dbos_tables.wake_due(connection)


def _requeued(
    connection: Connection,
    executors: Sequence[str],
    *,
    active: Sequence[str] = (),
    seconds: float | None = None,
    forgiven: int = 0,
) -> list[str]:
    """Put workflows back on the queue, and mark their runs as queued."""
    become(connection, DatabaseRole.DBOS)
    workflows = dbos_tables.requeue(
        connection, executors, active=active, seconds=seconds, forgiven=forgiven
    )
    if workflows:
        become(connection, DatabaseRole.WORKER)
        connection.execute(
            update(RUNS)
            .where(RUNS.c.run_id.in_(map(run_of, workflows)))
            .where(RUNS.c.workflow_id.in_(workflows), RUNS.c.status == RunStatus.RUNNING)
            .values(status=RunStatus.QUEUED)
        )
    return workflows


class RunError(StrEnum):
    """Code of a run's failure, for programs; its answer has the words."""

    BROKE = "BROKE"
    """something unforeseen happened in it"""
    GAVE_UP = "GAVE_UP"
    """its workers died too often, or it went on waiting too often"""


_CANCELLED = "CANCELLED"
_DEAD = "MAX_RECOVERY_ATTEMPTS_EXCEEDED"


def close_failed_runs(store: Store, client: DBOSClient, seconds: float) -> list[str]:
    """Close the runs that the engine ended within this time; their ids."""
    with store.system() as connection:
        lately = datetime.fromtimestamp(database_time(connection) - seconds, UTC)
        over = client.list_workflows(
            status=["ERROR", _CANCELLED, _DEAD],
            completed_after=lately.isoformat(),
            load_input=False,
            load_output=False,
        )
        if not over:
            return []
        given_up = {each.workflow_id: each.status for each in over}
        rows = connection.execute(
            select(RUNS.c.run_id, RUNS.c.workflow_id, RUNS.c.request)
            .where(RUNS.c.run_id.in_(map(run_of, given_up)))
            .where(RUNS.c.workflow_id.in_(given_up), RUNS.c.status.not_in(sorted(FINAL)))
            .with_for_update(skip_locked=True)
        ).all()
        endings = [_ending(row, given_up[row.workflow_id]) for row in rows]
        settled = [row.run_id for row in rows]
        execute_together(connection, [*ended(endings), *notices(settled)])
        return settled


def failed_answer(run_id: str, language: Language) -> Answer:
    """The answer that a user gets for a failed run."""
    text = message("durable.failed", language)
    return Answer(kind=AnswerKind.FAILED, text=text, language=language, trace_id=run_id)


def _ending(row: Row[*tuple[Any, ...]], status: str) -> Ending:
    if status == _CANCELLED:
        return Ending(row.run_id, RunStatus.CANCELLED)
    request = RunRequest.model_validate(restored(row.request))
    answer = failed_answer(row.run_id, request.question.language or request.caller.language)
    error = RunError.GAVE_UP if status == _DEAD else RunError.BROKE
    return Ending(row.run_id, RunStatus.FAILED, answer, error)
