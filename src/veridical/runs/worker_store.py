"""The stores of a worker: for runs, where the database ends transactions of a worker that hangs,
and for documents."""

from veridical.runs.settings import RunsSettings
from veridical.store.connection import Store
from veridical.store.settings import OwnDatabase

_DOCUMENT_SECONDS = 600
"""Timeout: merging the segments of a large collection takes long."""


class WorkerStore(Store):
    """A worker may be stopped in the middle of a transaction. The database ends it after a
    lease, so that another worker can take over without waiting for its locks."""

    def __init__(self, settings: RunsSettings) -> None:
        super().__init__(
            settings.database_url, connections=settings.connections, pgbouncer=settings.pgbouncer
        )
        idle = f"{round(settings.lease_seconds * 1000)}ms"
        self._limits = {**self._limits, "idle_ms": idle}


def document_store(settings: OwnDatabase) -> Store:
    """The store of documents, on one connection that waits longer than a run's own."""
    return Store(
        settings.database_url,
        connections=1,
        pgbouncer=settings.pgbouncer,
        statement_seconds=_DOCUMENT_SECONDS,
    )
