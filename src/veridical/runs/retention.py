"""Retention: deletes the engine's rows and the sessions of browsers soon, and finished runs with
their traces, conversations and feedback later. Links to answers and kept results go once they have
expired.

What an unfinished run may still need, such as the steps of its earlier segments, stays however old
it is.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial

from dbos import DBOSClient
from sqlalchemy import ColumnElement, Connection, delete, func, select, text

from veridical.runs.dbos_tables import orphans
from veridical.runs.request import run_of
from veridical.runs.rows import database_time
from veridical.store.connection import Store, become
from veridical.store.kept_results import delete_expired_results
from veridical.store.protection import DatabaseRole
from veridical.store.tables import CONVERSATIONS, FEEDBACK, SESSIONS, SHARES, TENANTS
from veridical.store.tables import RUN_REQUESTS as RUNS

_COLLECTING = 0x766572676172
"""The key of the lock: one worker at a time."""
_AT_ONCE = 500
_LOCK = select(func.pg_try_advisory_xact_lock(_COLLECTING))

_DELETE_EFFECTS = text(
    "DELETE FROM dbos.veridical_effects WHERE run_id = ANY(CAST(:ids AS text[]))"
)
_TRACES = text("DELETE FROM veridical.runs WHERE trace_id = ANY(CAST(:ids AS text[]))")
_OLD_TRACES = text("""
    DELETE FROM veridical.runs WHERE trace_id = ANY(ARRAY(
        SELECT trace_id FROM veridical.runs AS trace
        WHERE started_at < now() - make_interval(secs => :days * 86400)
        AND NOT EXISTS (SELECT FROM veridical.run_requests AS run
            WHERE run.run_id = trace.trace_id AND run.finished_at IS NULL)
        ORDER BY started_at LIMIT :limit))
""")


@dataclass(frozen=True, slots=True)
class Deleted:
    """Numbers of deleted rows, by kind."""

    segments: int = 0
    orphans: int = 0
    runs: int = 0
    traces: int = 0
    sessions: int = 0
    conversations: int = 0
    feedback: int = 0
    shares: int = 0
    results: int = 0


Delete = Callable[[Connection], int]
"""Deletes some of the old rows; returns how many."""


def delete_expired(
    store: Store,
    client: DBOSClient,
    keep_days: float,
    keep_runs_days: float,
    at_once: int = _AT_ONCE,
) -> Deleted:
    """Delete what is older, in small transactions; nothing while another worker does."""
    with store.system() as connection:
        tenants = list(connection.scalars(select(TENANTS.c.id)))

    def in_pages(delete_page: Delete) -> int:
        gone = 0
        while True:
            with store.system() as connection:
                deleted = delete_page(connection) if connection.scalar(_LOCK) else 0
            gone += deleted
            if deleted < at_once:
                return gone

    return Deleted(
        segments=_segments(store, client, keep_days, at_once),
        orphans=in_pages(partial(_orphans, client, keep_days, at_once)),
        # By tenant, because that is how an index finds the old ones.
        runs=sum(in_pages(partial(_runs, each, keep_runs_days, at_once)) for each in tenants),
        traces=in_pages(partial(_traces, keep_runs_days, at_once)),
        sessions=in_pages(partial(_sessions, keep_days)),
        conversations=in_pages(partial(_conversations, keep_runs_days)),
        feedback=in_pages(partial(_feedback, keep_runs_days)),
        shares=in_pages(partial(_shares, keep_days)),
        results=sum(in_pages(partial(_results, each)) for each in tenants),
    )


def _segments(store: Store, client: DBOSClient, days: float, at_once: int) -> int:
    gone = kept = 0
    while True:
        with store.system() as connection:
            if not connection.scalar(_LOCK):
                return gone
            before = datetime.fromtimestamp(_before(connection, days), UTC)
            page = client.list_workflows(
                completed_before=before.isoformat(),
                limit=at_once,
                offset=kept,
                load_input=False,
                load_output=False,
            )
            old = _not_needed(connection, [each.workflow_id for each in page])
            become(connection, DatabaseRole.DBOS)
            connection.execute(_DELETE_EFFECTS, {"ids": sorted(set(map(run_of, old)))})
        if old:
            client.delete_workflows(old)
        gone, kept = gone + len(old), kept + len(page) - len(old)
        if len(page) < at_once:
            return gone


def _not_needed(connection: Connection, workflow_ids: list[str]) -> list[str]:
    """The workflows of ended runs among these."""
    unfinished = select(RUNS.c.run_id).where(
        RUNS.c.run_id.in_(map(run_of, workflow_ids)), RUNS.c.finished_at.is_(None)
    )
    going_on = set(connection.scalars(unfinished))
    return [each for each in workflow_ids if run_of(each) not in going_on]


def _orphans(client: DBOSClient, days: float, at_once: int, connection: Connection) -> int:
    """Delete payloads that came after their segments had been deleted."""
    before = _before(connection, days)
    become(connection, DatabaseRole.DBOS)
    if found := orphans(connection, before, at_once):
        client.delete_workflows(found)
    return len(found)


def _runs(tenant: str, days: float, at_once: int, connection: Connection) -> int:
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
    ids = list(connection.scalars(page))
    connection.execute(delete(RUNS).where(RUNS.c.run_id.in_(ids)))
    connection.execute(_TRACES, {"ids": ids})
    return len(ids)


def _traces(days: float, at_once: int, connection: Connection) -> int:
    """Delete traces of questions that were answered without a run."""
    return connection.execute(_OLD_TRACES, {"days": days, "limit": at_once}).rowcount


def _sessions(days: float, connection: Connection) -> int:
    """Delete expired sessions."""
    over = delete(SESSIONS).where(SESSIONS.c.expires_at < _ago(days))
    return connection.execute(over).rowcount


def _conversations(days: float, connection: Connection) -> int:
    """Delete conversations that went on last before their runs are deleted."""
    old = delete(CONVERSATIONS).where(CONVERSATIONS.c.used_at < _ago(days))
    return connection.execute(old).rowcount


def _feedback(days: float, connection: Connection) -> int:
    """Delete what people said about answers that are gone."""
    return connection.execute(delete(FEEDBACK).where(FEEDBACK.c.at < _ago(days))).rowcount


def _shares(days: float, connection: Connection) -> int:
    """Delete links that have expired."""
    over = delete(SHARES).where(SHARES.c.expires_at < _ago(days))
    return connection.execute(over).rowcount


def _results(tenant: str, connection: Connection) -> int:
    """Delete kept results that are too old to be used."""
    return delete_expired_results(connection, tenant)


def _before(connection: Connection, days: float) -> float:
    return database_time(connection) - days * 86400


def _ago(days: float) -> ColumnElement[datetime]:
    return func.now() - func.make_interval(0, 0, 0, 0, 0, 0, days * 86400)
