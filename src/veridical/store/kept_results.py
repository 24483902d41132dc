"""Results of statements that the server and all workers may use again, each tenant's for itself."""

import logging
import zlib
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from datetime import timedelta

import psycopg
from sqlalchemy import Connection, delete, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import SQLAlchemyError

from veridical.engines.kept_results import KeptResult, ResultKey, unpacked
from veridical.store.connection import Store, UnreachableError, enter
from veridical.store.tables import KEPT_RESULTS

Opened = Callable[[str], AbstractContextManager[Connection]]
"""Opens a transaction in which this tenant's results are seen, and no others."""
_LEAST_BYTES = 4_096
"""Each result counts as this many bytes at least: their number is bounded too."""
_ERRORS = (SQLAlchemyError, psycopg.Error, UnreachableError)
_TABLE = KEPT_RESULTS.c

_log = logging.getLogger("veridical.store")


class StoredResults:
    """Results in Veridical's own tables. While these are away, every statement runs."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened

    @classmethod
    def of_server(cls, store: Store) -> "StoredResults":
        """With the rights of each tenant."""
        return cls(store.tenant)

    @classmethod
    def of_worker(cls, store: Store) -> "StoredResults":
        """With the rights of a worker, which sees one tenant's results at a time."""

        @contextmanager
        def opened(tenant: str) -> Generator[Connection]:
            with store.system() as connection:
                enter(connection, tenant)
                yield connection

        return cls(opened)

    def find(self, key: ResultKey, longest: timedelta) -> KeptResult | None:
        """What is kept under this key, if it is no older than this."""
        if not key.tenant:
            return None  # without a credential there is nobody whose they are
        found = select(_TABLE.content, _TABLE.kept_at).where(
            _TABLE.tenant == key.tenant,
            _TABLE.feature == key.feature,
            _TABLE.digest == key.digest,
            _TABLE.kept_at > func.now() - longest,
            _TABLE.expires_at > func.now(),
        )
        try:
            with self._opened(key.tenant) as connection:
                row = connection.execute(found).one_or_none()
            return None if row is None else unpacked(bytes(row.content), row.kept_at)
        except (*_ERRORS, ValueError, zlib.error) as error:
            _log.warning("a kept result can't be read: %s", type(error).__name__)
            return None

    def keep(self, key: ResultKey, found: KeptResult, longest: timedelta, most_bytes: int) -> None:
        """Keep it for at most this time; beyond the limit the oldest give way."""
        content = found.packed()
        size = max(len(content), _LEAST_BYTES)
        if not key.tenant or size > most_bytes:
            return
        values = {"content": content, "size": size, "kept_at": found.kept_at}
        values["expires_at"] = found.kept_at + longest
        made = insert(KEPT_RESULTS).values(
            tenant=key.tenant, feature=key.feature, digest=key.digest, **values
        )
        kept = made.on_conflict_do_update(
            index_elements=(_TABLE.tenant, _TABLE.feature, _TABLE.digest), set_=values
        )
        try:
            with self._opened(key.tenant) as connection:
                connection.execute(kept)
                _shrink(connection, key, most_bytes)
        except _ERRORS as error:
            _log.warning("a result can't be kept: %s", type(error).__name__)


def clear_results(connection: Connection, tenant: str = "", feature: str = "") -> int:
    """Deletes what is kept, of one tenant or one feature where they are named; how many."""
    gone = delete(KEPT_RESULTS)
    for column, value in ((_TABLE.tenant, tenant), (_TABLE.feature, feature)):
        gone = gone.where(column == value) if value else gone
    return connection.execute(gone).rowcount


def delete_expired_results(connection: Connection, tenant: str) -> int:
    """Deletes those of a tenant whose time is over; how many."""
    enter(connection, tenant)
    over = delete(KEPT_RESULTS).where(_TABLE.tenant == tenant, _TABLE.expires_at < func.now())
    return connection.execute(over).rowcount


def _shrink(connection: Connection, key: ResultKey, most_bytes: int) -> None:
    """Deletes the oldest of this tenant and feature, down to the limit."""
    mine = (_TABLE.tenant == key.tenant, _TABLE.feature == key.feature)
    newest_first = (_TABLE.kept_at.desc(), _TABLE.digest)
    used = func.sum(_TABLE.size).over(order_by=newest_first)
    running = select(_TABLE.digest, used.label("used")).where(*mine).subquery()
    beyond = select(running.c.digest).where(running.c.used > most_bytes)
    connection.execute(delete(KEPT_RESULTS).where(*mine, _TABLE.digest.in_(beyond)))
