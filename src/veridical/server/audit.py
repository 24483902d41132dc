"""Reads the audit log, and records failed authentication attempts in it."""

import asyncio
import logging

from sqlalchemy.exc import SQLAlchemyError

from veridical.server.identity import Identity
from veridical.server.limits import RateLimiter
from veridical.store.audit import AuditAction, AuditEntry, entries, note
from veridical.store.connection import Store, UnreachableError, enter

REFUSALS_PER_MINUTE = 60
"""Written down for one tenant, and for all who belong to none; what is more only counts in the log:
an attacker must not be able to fill the database."""

_log = logging.getLogger("veridical.audit")


async def read_audit(
    store: Store, identity: Identity, limit: int = 50, before: int | None = None
) -> tuple[AuditEntry, ...]:
    """The newest entries of the reader's tenant. That they were read is an entry too."""

    def read() -> tuple[AuditEntry, ...]:
        with store.tenant(identity.tenant) as connection:
            found = entries(connection, limit, before)
            detail = {"limit": limit, "before": before}
            note(
                connection,
                identity.tenant,
                identity.name,
                AuditAction.AUDIT_READ,
                identity.tenant,
                detail,
            )
            return found

    return await asyncio.to_thread(read)


class Refusals:
    """Records failed authentication attempts, up to a number per minute."""

    def __init__(self, store: Store, limiter: RateLimiter | None = None) -> None:
        self._store = store
        self._limiter = limiter or RateLimiter()

    async def add(self, reason: str, subject: str = "", tenant: str = "") -> None:
        """Write down a refusal, under the tenant whose key was tried where it is known.

        That it can't be written down is no reason to let anybody in, nor to say anything else.
        """
        _log.warning("refused %s: %s", subject or "a request", reason)
        if self._limiter.take_all([((tenant, ""), REFUSALS_PER_MINUTE)]) > 0:
            return
        try:
            await asyncio.to_thread(self._write, reason, subject, tenant)
        except (UnreachableError, SQLAlchemyError):
            _log.exception("a refusal could not be written down")

    def _write(self, reason: str, subject: str, tenant: str) -> None:
        with self._store.presented("") as connection:
            if tenant:
                enter(connection, tenant)
            note(connection, tenant, "", AuditAction.REFUSED, subject, {"reason": reason})
