"""Retention: deletes the engine's rows and the sessions of browsers soon, and finished runs with
their traces later.

The engine's payload tables have no foreign keys, so each is cleared by itself. What an unfinished
run may still need, such as the steps of its earlier segments, stays however old it is.
"""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, delete, func, select, text

from veridical.runs.segment import run_of
from veridical.store.connection import Store, become
from veridical.store.roles import DatabaseRole
from veridical.store.tables import RUN_REQUESTS as RUNS
from veridical.store.tables import SESSIONS, TENANTS

_COLLECTING = 0x766572676172
"""The key of the lock: one worker at a time."""
_AT_ONCE = 500
_LOCK = select(func.pg_try_advisory_xact_lock(_COLLECTING))

_OLD_LIVES = text("""
    SELECT workflow_uuid, completed_at FROM dbos.workflow_status
    WHERE completed_at < CAST((extract(epoch FROM now()) - :days * 86400) * 1000 AS bigint)
        AND (completed_at, workflow_uuid) > (:at, :workflow_id)
    ORDER BY completed_at, workflow_uuid LIMIT :limit
""")
_PAYLOADS = ("workflow_input", "workflow_output", "operation_outputs")
_DELETE_LIVES = tuple(
    text(  # the tables are named above, by nobody else
        f"DELETE FROM dbos.{table} WHERE workflow_uuid = ANY(CAST(:ids AS text[]))"  # noqa: S608 # nosec B608
    )
    for table in (*_PAYLOADS, "workflow_status")
)
_DELETE_EFFECTS = text(
    "DELETE FROM dbos.veridical_effects WHERE run_id = ANY(CAST(:ids AS text[]))"
)
_ORPHANS = tuple(
    text(f"""
    DELETE FROM dbos.{table} WHERE ctid = ANY(ARRAY(
        SELECT payload.ctid FROM dbos.{table} AS payload
        WHERE retention_timestamp
            < CAST((extract(epoch FROM now()) - :days * 86400) * 1000 AS bigint)
        AND NOT EXISTS (SELECT FROM dbos.workflow_status AS held
            WHERE held.workflow_uuid = payload.workflow_uuid)
        LIMIT :limit))
    """)  # noqa: S608 # nosec B608 # as above
    for table in _PAYLOADS
)
_TRACES = text("DELETE FROM veridical.runs WHERE trace_id = ANY(CAST(:ids AS text[]))")
_OLD_TRACES = text("""
    DELETE FROM veridical.runs WHERE trace_id = ANY(ARRAY(
        SELECT trace_id FROM veridical.runs AS held
        WHERE started_at < now() - make_interval(secs => :days * 86400)
        AND NOT EXISTS (SELECT FROM veridical.run_requests AS run
            WHERE run.run_id = held.trace_id AND run.finished_at IS NULL)
        ORDER BY started_at LIMIT :limit))
""")


@dataclass(frozen=True, slots=True)
class Deleted:
    """How many rows of each kind were deleted."""

    segments: int = 0
    orphans: int = 0
    runs: int = 0
    traces: int = 0
    sessions: int = 0


def delete_expired(
    store: Store, keep_days: float, keep_runs_days: float, at_once: int = _AT_ONCE
) -> Deleted:
    """Delete what is older, in small transactions; nothing while another worker does."""
    return Deleted(
        segments=_segments(store, keep_days, at_once),
        orphans=_orphans(store, keep_days, at_once),
        runs=_runs(store, keep_runs_days, at_once),
        traces=_traces(store, keep_runs_days, at_once),
        sessions=_sessions(store, keep_days),
    )


def _segments(store: Store, days: float, at_once: int) -> int:
    gone, at, workflow_id = 0, 0, ""
    while True:
        with store.system() as connection:
            if not connection.scalar(_LOCK):
                return gone
            become(connection, DatabaseRole.DBOS)
            page = {"days": days, "at": at, "workflow_id": workflow_id, "limit": at_once}
            rows = connection.execute(_OLD_LIVES, page).all()
            if rows:
                gone += _delete_segments(connection, [row[0] for row in rows])
                workflow_id, at = rows[-1]
        if len(rows) < at_once:
            return gone


def _delete_segments(connection: Connection, workflow_ids: list[str]) -> int:
    become(connection, DatabaseRole.WORKER)
    runs = {run_of(each) for each in workflow_ids}
    going_on = set(
        connection.scalars(
            select(RUNS.c.run_id).where(RUNS.c.run_id.in_(runs), RUNS.c.finished_at.is_(None))
        )
    )
    become(connection, DatabaseRole.DBOS)
    old = [each for each in workflow_ids if run_of(each) not in going_on]
    for statement in _DELETE_LIVES:
        connection.execute(statement, {"ids": old})
    connection.execute(_DELETE_EFFECTS, {"ids": sorted(runs - going_on)})
    return len(old)


def _orphans(store: Store, days: float, at_once: int) -> int:
    gone = 0
    for statement in _ORPHANS:
        while True:
            with store.system() as connection:
                if not connection.scalar(_LOCK):
                    return gone
                become(connection, DatabaseRole.DBOS)
                deleted = connection.execute(statement, {"days": days, "limit": at_once}).rowcount
            gone += deleted
            if deleted < at_once:
                break
    return gone


def _runs(store: Store, days: float, at_once: int) -> int:
    with store.system() as connection:
        tenants = list(connection.scalars(select(TENANTS.c.id)))
    return sum(_runs_of(store, tenant, days, at_once) for tenant in tenants)


def _runs_of(store: Store, tenant: str, days: float, at_once: int) -> int:
    """By tenant, because that is how an index finds the old ones."""
    page = (
        select(RUNS.c.run_id)
        .where(
            RUNS.c.tenant == tenant,
            RUNS.c.created_at < _ago(days),
            RUNS.c.finished_at.is_not(None),
        )
        .order_by(RUNS.c.created_at)
        .limit(at_once)
    )
    gone = 0
    while True:
        with store.system() as connection:
            if not connection.scalar(_LOCK):
                return gone
            ids = list(connection.scalars(page))
            connection.execute(delete(RUNS).where(RUNS.c.run_id.in_(ids)))
            connection.execute(_TRACES, {"ids": ids})
        gone += len(ids)
        if len(ids) < at_once:
            return gone


def _traces(store: Store, days: float, at_once: int) -> int:
    """Those of questions that were answered without a run."""
    gone = 0
    while True:
        with store.system() as connection:
            if not connection.scalar(_LOCK):
                return gone
            page = {"days": days, "limit": at_once}
            deleted = connection.execute(_OLD_TRACES, page).rowcount
        gone += deleted
        if deleted < at_once:
            return gone


def _sessions(store: Store, days: float) -> int:
    """Those whose cookie opens nothing any more, ended or not."""
    with store.system() as connection:
        if not connection.scalar(_LOCK):
            return 0
        over = delete(SESSIONS).where(SESSIONS.c.expires_at < _ago(days))
        return connection.execute(over).rowcount


def _ago(days: float) -> ColumnElement[datetime]:
    return func.now() - func.make_interval(0, 0, 0, 0, 0, 0, days * 86400)
