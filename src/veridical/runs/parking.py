"""Parks the queued runs of tenants at their limit, for as long as they are.

DBOS looks at each tenant of its queue in a transaction of its own, also where no run may begin:
with a thousand of them, looking would be all that a worker does. On a queue that no worker listens
to they cost nothing, and all of them are looked at in one transaction.
"""

import logging
import threading
import time
from collections.abc import Iterable

from sqlalchemy import Connection, func, select

from veridical.runs import dbos_tables
from veridical.runs.dbos_setup import A_MINUTE
from veridical.runs.retry import DATABASE_ERRORS, LONGEST_WAIT
from veridical.runs.settings import RunsSettings
from veridical.store.connection import Store, become
from veridical.store.protection import DatabaseRole

_PARKING = 0x76657061726B
"""The key of the lock."""
_LOCK = select(func.pg_try_advisory_xact_lock(_PARKING))
_REST = 10
"""Times as long as it took, it waits: with many thousand tenants it must not be all that the
database does."""

_log = logging.getLogger("veridical.runs")


class Parking:
    """A thread of a worker. The limits are kept by DBOS; this only spares it looks in vain."""

    def __init__(self, settings: RunsSettings, store: Store) -> None:
        self._settings = settings
        self._store = store
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._work, name="parking", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Stop after the current look."""
        self._stopping.set()
        self._thread.join()

    def _work(self) -> None:
        wait = self._settings.poll_seconds
        while not self._stopping.wait(wait):
            began = time.monotonic()
            try:
                park_runs(self._store, self._settings)
            except DATABASE_ERRORS as error:
                _log.warning("runs can't be parked: %s", error)
                wait = LONGEST_WAIT
            else:
                wait = max(self._settings.poll_seconds, _REST * (time.monotonic() - began))


def park_runs(store: Store, settings: RunsSettings) -> tuple[int, int]:
    """Park the runs of tenants at their limit, and put back the oldest of tenants that are not; how
    many of each. One worker at a time does it."""
    with store.system() as connection:
        if not connection.scalar(_LOCK):
            return 0, 0
        become(connection, DatabaseRole.DBOS)
        queued = dbos_tables.queued_tenants(connection, dbos_tables.QUEUE)
        parked = dbos_tables.queued_tenants(connection, dbos_tables.PARKED)
        if not queued and not parked:
            return 0, 0
        rooms = _rooms(connection, settings, {*queued, *parked})
        full = [tenant for tenant in queued if rooms[tenant] <= 0]
        roomy = {tenant: rooms[tenant] for tenant in parked if rooms[tenant] > 0}
        return (
            dbos_tables.park(connection, full) if full else 0,
            dbos_tables.put_back(connection, roomy) if roomy else 0,
        )


def _rooms(
    connection: Connection, settings: RunsSettings, tenants: Iterable[str]
) -> dict[str, int]:
    """How many more runs of each tenant may begin now, as DBOS will count them."""
    running = dbos_tables.running_by_tenant(connection)
    rooms = {tenant: settings.tenant_concurrency - running.get(tenant, 0) for tenant in tenants}
    if not settings.tenant_per_minute:
        return rooms
    begun = dbos_tables.begun_by_tenant(connection, A_MINUTE)
    return {
        tenant: min(room, settings.tenant_per_minute - begun.get(tenant, 0))
        for tenant, room in rooms.items()
    }
