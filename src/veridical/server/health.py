"""Readiness checks: database, migrations, storage and workers, each actually tried."""

import asyncio
import logging
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from os import urandom
from pathlib import Path
from shutil import disk_usage

from sqlalchemy import func, insert, select

from veridical.answering.feature import Feature
from veridical.contracts.caller import Scope
from veridical.contracts.statement import Statement
from veridical.contracts.wire import Wire
from veridical.gate.log import log_path
from veridical.runs.retry import DATABASE_ERRORS
from veridical.server.metrics import Metrics
from veridical.server.services import Services
from veridical.statement.errors import EngineError
from veridical.store.connection import Store, UnreachableError
from veridical.store.migrate import fits
from veridical.store.tables import AUDIT, WORKERS

_PATIENCE = 3.0
"""Seconds for one check: probes have short timeouts too."""
_FRESH = 1.0
"""Seconds for which a result is cached."""
_WRITE_SECONDS = 15.0
"""Seconds between two test writes to the database."""
_LEAST_FREE = 16 * 1024 * 1024
"""Bytes on the disk of a log."""

_log = logging.getLogger("veridical.server")


class Finding(Wire):
    """The result of one check."""

    name: str
    ok: bool
    needed: bool = True
    """Whether the server is of no use without it."""


class Readiness(Wire):
    """The results of all checks."""

    ready: bool
    checks: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class _Check:
    name: str
    passes: Callable[[], bool]
    needed: bool = True


class Health:
    """Runs the readiness checks."""

    def __init__(
        self,
        services: Services,
        metrics: Metrics,
        closing: asyncio.Event,
        stuck: Callable[[], bool] = lambda: False,
    ) -> None:
        """``stuck`` tells whether traces wait because they can't be written."""
        self._services = services
        self._store = services.door or services.store
        self._metrics = metrics
        self._closing = closing
        self._last: tuple[float, Readiness] | None = None
        self._looking = asyncio.Lock()
        self._stuck = stuck
        self._written_at = -math.inf

    async def look(self) -> Readiness:
        """The readiness now, or within the last second."""
        async with self._looking:
            if self._last is None or time.monotonic() - self._last[0] > _FRESH:
                self._last = (time.monotonic(), await self._look())
        found = self._last[1]
        if self._closing.is_set():
            closed = Finding(name="open", ok=False)
            return Readiness(ready=False, checks=(*found.checks, closed))
        return found

    async def _look(self) -> Readiness:
        checks = (
            _Check("database", self._database_answers),
            _Check("migrations", self._migrations_are_current),
            _Check("storage", self._can_be_written),
            _Check("workers", self._workers_are_alive, self._services.settings.ready_needs_workers),
            _Check("reload", lambda: not self._services.current.is_outdated, needed=False),
            *(
                _Check(f"feature:{name}", partial(_answers, name, feature))
                for name, feature in sorted(self._services.runtime.features.items())
            ),
        )
        found = await asyncio.gather(*(_found(check) for check in checks))
        return Readiness(
            ready=all(each.ok or not each.needed for each in found), checks=tuple(found)
        )

    def _database_answers(self) -> bool:
        with self._store.engine.connect() as connection:
            return connection.scalar(select(1)) == 1

    def _migrations_are_current(self) -> bool:
        # For no tenant: a login has no rights of its own.
        with self._store.presented("") as connection:
            return fits(connection)

    def _can_be_written(self) -> bool:
        """Whether what happens can be kept: on the database's disk, and on this machine's."""
        folder = log_path(self._services.runtime.policy)
        if folder is not None and disk_usage(existing(folder)).free < _LEAST_FREE:
            return False
        if time.monotonic() - self._written_at > _WRITE_SECONDS:
            try_writing(self._store)
            self._written_at = time.monotonic()
        return not self._stuck()

    def _workers_are_alive(self) -> bool:
        self._metrics.workers.set(math.nan)  # unknown while the database does not say
        alive = _living(self._store, self._services.runs.settings.lease_seconds)
        self._metrics.workers.set(alive)
        return alive > 0


async def _found(check: _Check) -> Finding:
    try:
        async with asyncio.timeout(_PATIENCE):
            ok = await asyncio.to_thread(check.passes)
    except (*DATABASE_ERRORS, TimeoutError, OSError) as error:
        why = error if isinstance(error, UnreachableError) else type(error).__name__
        _log.warning("not ready: %s: %s", check.name, why)
        ok = False
    return Finding(name=check.name, ok=ok, needed=check.needed)


def _answers(name: str, feature: Feature) -> bool:
    briefly = replace(feature.engine.limits, statement_ms=round(_PATIENCE * 1000))
    try:
        feature.engine.database.fetch(Statement("SELECT 1", ()), Scope(), 1, briefly)
    except EngineError as error:
        _log.warning("not ready: feature:%s: %s", name, error)
        return False
    return True


def _living(store: Store, lease_seconds: float) -> int:
    """Workers that were seen within their lease, by the database's own clock."""
    recently = func.now() - func.make_interval(0, 0, 0, 0, 0, 0, lease_seconds)
    alive = select(func.count()).select_from(WORKERS).where(WORKERS.c.seen_at > recently)
    with store.presented("") as connection:
        return connection.scalar(alive) or 0


def existing(path: Path) -> Path:
    """The path, or what of it there is."""
    path = path.absolute()
    return path if path.exists() else existing(path.parent)


_BYTES = 24 * 1024
"""More than a page has room for, and nothing that could be compressed: the file must grow."""


def try_writing(store: Store) -> None:
    """Write and roll back. Raises the database's error when it has no room left."""
    with store.presented("") as connection:
        entry = {
            "tenant": "",
            "actor": "",
            "action": "storage.tried",
            "subject": "",
            "detail": {"noise": urandom(_BYTES).hex()},
        }
        connection.execute(insert(AUDIT).inline().values(entry))
        connection.rollback()
