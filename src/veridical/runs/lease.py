"""Worker lease: a worker may work until another one has declared it dead.

The row in ``workers`` is written on the database's clock. A worker that finds it too old deletes it
and takes over the runs; the worker that finds its own row gone has lost them.
"""

import threading
import time
from importlib.metadata import version
from uuid import uuid4

from sqlalchemy import delete, func, update
from sqlalchemy.dialects.postgresql import insert

from veridical.store.connection import Store
from veridical.store.tables import WORKERS


class LeaseLost(BaseException):
    """The runs of this worker belong to others now: whatever it still does would be done twice.

    A ``BaseException``, so that no error handler catches it and nothing is recorded of it.
    """


class Lease:
    """One worker's lease. A new process, or one that has lost its lease, takes a new id."""

    def __init__(self, store: Store, seconds: float) -> None:
        self.executor_id = str(uuid4())
        self._store = store
        self._seconds = seconds
        self._sure_until = 0.0
        self._lost = threading.Event()
        self._renewing = threading.Lock()

    @property
    def is_lost(self) -> bool:
        """True once somebody else has taken over, or the worker is leaving."""
        return self._lost.is_set()

    def take(self) -> None:
        """Register this worker, before it takes its first run."""
        began = time.monotonic()
        with self._store.system() as connection:
            mine = {"executor_id": self.executor_id, "version": version("veridical")}
            # Repeated where the reply to it was lost.
            connection.execute(insert(WORKERS).values(mine).on_conflict_do_nothing())
        self._sure_until = began + self._seconds

    def renew(self) -> bool:
        """Send a heartbeat; false when the worker was declared dead meanwhile."""
        with self._renewing:
            if self.is_lost:
                return False
            began = time.monotonic()
            with self._store.system() as connection:
                renewed = connection.execute(
                    update(WORKERS)
                    .where(WORKERS.c.executor_id == self.executor_id)
                    .values(seen_at=func.clock_timestamp())
                ).rowcount
            if not renewed:
                self._lost.set()
                return False
            self._sure_until = began + self._seconds
            return True

    def hold(self) -> None:
        """Make sure that the runs are still this worker's. Raises ``LeaseLost``.

        Costs nothing while the last heartbeat is recent. A process that was stopped for longer than
        its lease finds it old, and asks before it does anything.
        """
        if self.is_lost or (time.monotonic() >= self._sure_until and not self.renew()):
            raise LeaseLost

    @property
    def is_sure(self) -> bool:
        """True while no other worker can have declared this one dead."""
        return not self.is_lost and time.monotonic() < self._sure_until

    def close(self) -> None:
        """Stop working under this lease; the row stays until it is given back."""
        self._lost.set()

    def give_back(self) -> None:
        """Unregister this worker."""
        self.close()
        with self._store.system() as connection:
            connection.execute(delete(WORKERS).where(WORKERS.c.executor_id == self.executor_id))
