"""Background maintenance of a worker: heartbeats, recovery of dead workers' runs, cancellation,
retention."""

import logging
import threading
import time
from collections.abc import Callable, Sequence

from dbos import DBOSClient
from dbos import error as dbos_error
from sqlalchemy import func, select

from veridical.runs.inbox import Inbox
from veridical.runs.lease import Lease
from veridical.runs.recovery import close_failed_runs, recover_runs, release_strays, wake_due
from veridical.runs.retention import delete_expired
from veridical.runs.retry import DATABASE_ERRORS
from veridical.runs.rows import cancelled_among
from veridical.runs.settings import RunsSettings
from veridical.store.connection import Store

_CANCEL_SECONDS = 1.0
"""Seconds until a cancelled run stops in the middle of a step."""
_WARN_SECONDS = 60.0
_COLLECT_SECONDS = 3600.0
_FIRST_COLLECTION_SECONDS = 60.0
_EVER = 10 * 365 * 86_400.0
_LATELY = 600.0
_STRAY_SECONDS = 10.0
_MOST_SKEW_SECONDS = 5.0

_log = logging.getLogger("veridical.runs")


class Maintenance:
    """A thread of its own, so that a busy event loop does not look like a dead worker."""

    def __init__(
        self,
        settings: RunsSettings,
        store: Store,
        client: DBOSClient,
        lease: Lease,
        inbox: Inbox,
        active: Callable[[], Sequence[str]],
        cancel: Callable[[str], object],
        lost: Callable[[], object],
    ) -> None:
        self._settings = settings
        self._store = store
        self._client = client
        self._lease = lease
        self._inbox = inbox
        self._active = active
        """The workflows that go on here."""
        self._cancel = cancel
        """Stops one of them."""
        self._lost = lost
        """Called once, when others have taken over."""
        self._connected_at: float | None = None
        self._settle_back_to = _EVER
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._work, name="maintenance", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Stop after the current job."""
        self._stopping.set()
        self._thread.join()

    def _work(self) -> None:
        """Run each duty at its own interval; a failed one is due again in the next round."""
        duties: list[tuple[float, Callable[[], None]]] = [
            (self._settings.beat_seconds, self._beat),
            (min(_CANCEL_SECONDS, self._settings.beat_seconds), self._stop_cancelled),
            (self._settings.beat_seconds, self._take_over),
            (self._settings.beat_seconds, self._settle),
            (_WARN_SECONDS, self._warn),
            (_COLLECT_SECONDS, self._collect),
        ]
        now = time.monotonic()
        due = [now] * len(duties)
        due[-1] = now + _FIRST_COLLECTION_SECONDS
        self._compare_clocks()
        while not self._stopping.wait(max(min(due) - time.monotonic(), 0.0)):
            for place, (seconds, duty) in enumerate(duties):
                if due[place] <= time.monotonic() and not self._stopping.is_set():
                    self._do(duty)
                    due[place] = time.monotonic() + seconds
            if self._lease.is_lost:
                self._lost()
                return

    def _do(self, duty: Callable[[], None]) -> None:
        try:
            duty()
        except (*DATABASE_ERRORS, dbos_error.DBOSException) as error:
            self._connected_at = None
            _log.warning("a maintenance job failed: %s", error)
        else:
            if self._connected_at is None:
                self._connected_at = time.monotonic()

    def _beat(self) -> None:
        if not self._lease.renew() and not self._stopping.is_set():
            _log.warning("worker %s was declared dead", self._lease.executor_id)

    def _stop_cancelled(self) -> None:
        active = self._active()
        if not active:
            return
        with self._store.system() as connection:
            cancelled = cancelled_among(connection, active)
        for workflow_id in cancelled:
            self._cancel(workflow_id)

    def _take_over(self) -> None:
        """No worker is declared dead before this one has been connected for a lease: after an
        outage the others may only be a little slower to come back."""
        lease_seconds = self._settings.lease_seconds
        since = self._connected_at
        if since is not None and time.monotonic() - since >= lease_seconds:
            taken = recover_runs(self._store, self._client, lease_seconds)
            if taken:
                _log.warning("took over %d runs of dead workers", len(taken))
        long_ago = max(_STRAY_SECONDS, lease_seconds)
        released = release_strays(self._store, self._lease.executor_id, self._active(), long_ago)
        if released:
            _log.warning("put %d runs back that no worker was working on", len(released))
        wake_due(self._store)

    def _settle(self) -> None:
        for run_id in close_failed_runs(self._store, self._client, self._settle_back_to):
            _log.error("run %s was given up", run_id)
        self._settle_back_to = _LATELY

    def _warn(self) -> None:
        self._inbox.warn()

    def _collect(self) -> None:
        settings = self._settings
        gone = delete_expired(
            self._store, self._client, settings.keep_days, settings.keep_runs_days
        )
        _log.info("collected %s", gone)

    def _compare_clocks(self) -> None:
        """A worker whose clock is ahead would wake waiting runs too early, again and again."""

        def compare() -> None:
            with self._store.system() as connection:
                there = connection.scalar(select(func.extract("epoch", func.clock_timestamp())))
            skew = abs(float(there or 0) - time.time())
            if skew > _MOST_SKEW_SECONDS:
                _log.warning("this clock and the database's differ by %.0f s", skew)

        self._do(compare)
