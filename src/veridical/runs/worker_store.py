"""The store of a worker: the database ends transactions of a worker that hangs."""

from veridical.runs.settings import RunsSettings
from veridical.store.connection import Store


class WorkerStore(Store):
    """A worker may be stopped in the middle of a transaction. The database ends it after a
    lease: whoever takes over must not wait for its locks."""

    def __init__(self, settings: RunsSettings) -> None:
        super().__init__(
            settings.database_url, connections=settings.connections, pgbouncer=settings.pgbouncer
        )
        idle = f"{round(settings.lease_seconds * 1000)}ms"
        self._limits = {**self._limits, "idle_ms": idle}
