"""The interface to durable runs: start, read, cancel and watch them."""

from collections.abc import AsyncGenerator, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from uuid import uuid4

from dbos import DBOSClient
from sqlalchemy import func, select

from veridical.runs import dbos_tables
from veridical.runs.dbos_setup import dbos_client, engine_database, enqueue
from veridical.runs.errors import RunNotFoundError
from veridical.runs.request import RunRequest, RunSegment
from veridical.runs.rows import cancel_row, insert_run, recent_states, state_of, status_of
from veridical.runs.run_watcher import RunWatcher
from veridical.runs.settings import RunsSettings
from veridical.runs.state import RunState, RunStatus, WatchedEvent
from veridical.store.connection import Store
from veridical.store.tables import WORKERS
from veridical.trace.batch import execute_together, notices


@dataclass(frozen=True, slots=True)
class Load:
    """Queue lengths, and the number of workers."""

    queued: int
    running: int
    waiting: int
    workers: int
    """Number of live workers."""


@dataclass(frozen=True)
class Runs:
    """The runs of all tenants; each call is for one of them. All but ``watch`` block."""

    settings: RunsSettings
    store: Store
    client: DBOSClient
    watcher: RunWatcher

    def start(
        self,
        request: RunRequest,
        tenant: str,
        asked_by: str,
        idempotency_key: str | None = None,
        people: Sequence[str] = (),
    ) -> RunState:
        """Queue a new run and audit it, or return the run that was started with this key. The
        ``people`` behind the credential may not approve what the run needs approved.

        Raises ``IdempotencyConflictError`` when the key was used for another request.
        """
        segment = RunSegment(run_id=str(uuid4()), tenant=tenant, asked_by=asked_by, request=request)
        with self.store.tenant(tenant) as connection:
            run_id = insert_run(connection, segment, idempotency_key, people)
            state = state_of(connection, run_id, tenant)
            if run_id == segment.run_id:
                enqueue(self.client, connection, segment)
        if state is None:
            raise RunNotFoundError(run_id)
        return state

    def state(self, run_id: str, tenant: str) -> RunState | None:
        """The run, if this tenant has it."""
        with self.store.tenant(tenant) as connection:
            return state_of(connection, run_id, tenant)

    def status(self, run_id: str, tenant: str) -> RunStatus | None:
        """The run's status, if this tenant has it; its answer may be large and is not read."""
        with self.store.tenant(tenant) as connection:
            return status_of(connection, run_id, tenant)

    def recent(
        self,
        tenant: str,
        limit: int = 20,
        before: str | None = None,
        *,
        collecting: bool = False,
    ) -> tuple[RunState, ...]:
        """The tenant's runs, newest first, before a run for paging; on request only those that
        collect evidence."""
        with self.store.tenant(tenant) as connection:
            return recent_states(connection, tenant, limit, before, collecting=collecting)

    def cancel(self, run_id: str, tenant: str, by: str) -> RunState:
        """Stop a run; one that has ended stays as it is. Raises ``RunNotFoundError``."""
        with self.store.tenant(tenant) as connection:
            workflow_id = cancel_row(connection, run_id, tenant, by)
            state = state_of(connection, run_id, tenant)
            if workflow_id is not None:
                execute_together(connection, notices([run_id]))
                dbos_tables.cancel(connection, workflow_id)
        if state is None:
            raise RunNotFoundError(run_id)
        return state

    def watch(self, run_id: str, tenant: str, after: int = -1) -> AsyncGenerator[WatchedEvent]:
        """The run's events as they happen, after a sequence number."""
        return self.watcher.watch(run_id, tenant, after)

    def load(self) -> Load:
        """The load of all workers."""
        silent = func.make_interval(0, 0, 0, 0, 0, 0, self.settings.lease_seconds)
        with self.store.presented("") as connection:  # for no tenant
            living = select(func.count()).where(WORKERS.c.seen_at > func.now() - silent)
            workers = connection.scalar(living) or 0
            counts = dbos_tables.counts_by_status(connection)
        return Load(
            queued=counts.get("ENQUEUED", 0),
            running=counts.get("PENDING", 0),
            waiting=counts.get("DELAYED", 0),
            workers=workers,
        )


@contextmanager
def open_runs(settings: RunsSettings, store: Store | None = None) -> Generator[Runs]:
    """The runs that these settings lead to, on a store that is open already or on one of their own.

    Connects to nothing before it is needed.
    """
    own = store or Store(
        settings.database_url, connections=settings.connections, pgbouncer=settings.pgbouncer
    )
    watcher = RunWatcher(settings, own)
    try:
        with engine_database(settings) as database:
            yield Runs(settings, own, dbos_client(database), watcher)
    finally:
        watcher.close()
        if store is None:
            own.close()
