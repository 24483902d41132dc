"""Recovers runs without a worker: puts the runs of dead workers back on the queue.

DBOS leaves this to a paid service. Here any worker does it, under a lock that only one of them
holds at a time.
"""

from collections.abc import Sequence

from sqlalchemy import Connection, TextClause, delete, func, select, text, update

from veridical.runs.segment import run_of
from veridical.runs.state import RunStatus
from veridical.store.connection import Store, become
from veridical.store.roles import DatabaseRole
from veridical.store.tables import RUN_REQUESTS as RUNS
from veridical.store.tables import WORKERS

_REAPING = 0x766572726561
"""The key of the lock."""
_LOCK = select(func.pg_try_advisory_xact_lock(_REAPING))
_STARTED_LATELY = text(
    "SELECT pg_postmaster_start_time() > now() - make_interval(secs => :seconds)"
)
_PENDING = text("""
    SELECT DISTINCT executor_id FROM dbos.workflow_status
    WHERE status = 'PENDING' AND queue_name = 'runs' AND executor_id IS NOT NULL
""")
_AGAIN = text("""
    UPDATE dbos.workflow_status
    SET status = 'ENQUEUED', owner_xid = NULL, started_at_epoch_ms = NULL,
        updated_at = CAST(extract(epoch FROM now()) * 1000 AS bigint)
    WHERE status = 'PENDING' AND queue_name = 'runs'
        AND executor_id = ANY(CAST(:executors AS text[]))
    RETURNING workflow_uuid
""")
_HAND_BACK = text("""
    UPDATE dbos.workflow_status
    SET status = 'ENQUEUED', owner_xid = NULL, started_at_epoch_ms = NULL,
        recovery_attempts = greatest(recovery_attempts - 1, 0),
        updated_at = CAST(extract(epoch FROM now()) * 1000 AS bigint)
    WHERE status = 'PENDING' AND queue_name = 'runs' AND executor_id = :executor
    RETURNING workflow_uuid
""")
_STRAYS = text("""
    UPDATE dbos.workflow_status
    SET status = 'ENQUEUED', owner_xid = NULL, started_at_epoch_ms = NULL,
        updated_at = CAST(extract(epoch FROM now()) * 1000 AS bigint)
    WHERE status = 'PENDING' AND queue_name = 'runs' AND executor_id = :executor
        AND workflow_uuid <> ALL(CAST(:active AS text[]))
        AND started_at_epoch_ms <= CAST((extract(epoch FROM now()) - :seconds) * 1000 AS bigint)
    RETURNING workflow_uuid
""")
_DUE = text("""
    UPDATE dbos.workflow_status SET status = 'ENQUEUED'
    WHERE status = 'DELAYED' AND queue_name = 'runs'
        AND delay_until_epoch_ms <= CAST(extract(epoch FROM now()) * 1000 AS bigint)
""")


def recover_runs(store: Store, lease_seconds: float) -> list[str]:
    """Put the runs of dead workers back on the queue; their workflows.

    Nobody is declared dead within a lease of the database's own start: while it was unavailable, no
    worker could send a heartbeat.
    """
    with store.system() as connection:
        if not connection.scalar(_LOCK):
            return []
        if connection.scalar(_STARTED_LATELY, {"seconds": lease_seconds}):
            return []
        silent = func.now() - func.make_interval(0, 0, 0, 0, 0, 0, lease_seconds)
        connection.execute(delete(WORKERS).where(WORKERS.c.seen_at < silent))
        # Who has a run now has signed on before, so is among the living if read after this.
        become(connection, DatabaseRole.DBOS)
        working = list(connection.scalars(_PENDING))
        become(connection, DatabaseRole.WORKER)
        living = set(connection.scalars(select(WORKERS.c.executor_id)))
        dead = [each for each in working if each not in living]
        return _back(connection, _AGAIN, executors=dead) if dead else []


def hand_back(store: Store, executor_id: str) -> int:
    """Put this worker's own unfinished runs back on the queue; their number."""
    with store.system() as connection:
        return len(_back(connection, _HAND_BACK, executor=executor_id))


def release_strays(
    store: Store, executor_id: str, active: Sequence[str], seconds: float
) -> list[str]:
    """Put runs back that this worker claimed so long ago and does not know of.

    Such is a claim whose confirmation was lost with the connection, or a segment that lost its
    database. Each counts as an attempt, so that nothing is retried for ever.
    """
    mine = {"executor": executor_id, "active": list(active), "seconds": seconds}
    with store.system() as connection:
        return _back(connection, _STRAYS, **mine)


def wake_due(store: Store) -> int:
    """Queue the delayed runs that are due by the database's clock, whatever a worker's clock
    says."""
    with store.system() as connection:
        become(connection, DatabaseRole.DBOS)
        return connection.execute(_DUE).rowcount


def _back(connection: Connection, which: TextClause, **values: object) -> list[str]:
    """Put workflows back on the queue, and say of their runs that they are there."""
    become(connection, DatabaseRole.DBOS)
    workflows = list(connection.scalars(which, values))
    if workflows:
        become(connection, DatabaseRole.WORKER)
        connection.execute(
            update(RUNS)
            .where(RUNS.c.run_id.in_(map(run_of, workflows)))
            .where(RUNS.c.workflow_id.in_(workflows), RUNS.c.status == RunStatus.RUNNING)
            .values(status=RunStatus.QUEUED)
        )
    return workflows
