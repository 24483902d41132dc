"""Credential monitor: ends open streams whose credential was revoked, has expired, whose
session has ended or whose tenant is disabled."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Generator, Iterable
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime

from veridical.runs.retry import DATABASE_ERRORS
from veridical.server.identity import Identity
from veridical.server.keys import ended_keys
from veridical.server.sessions import ended_sessions
from veridical.server.tenants import find_tenant
from veridical.store.connection import Store

_LOOK_SECONDS = 1.0

_log = logging.getLogger("veridical.server")


@dataclass(eq=False)
class _Open:
    """One stream, and how it is ended."""

    identity: Identity
    end: Callable[[], None]


@dataclass
class CredentialMonitor:
    """Checks the credentials of all open streams every second, with one query per tenant."""

    store: Store
    _open: set[_Open] = field(default_factory=set[_Open])

    @contextmanager
    def watch(self, identity: Identity, end: Callable[[], None]) -> Generator[None]:
        """Calls ``end`` if the credential becomes invalid while the block runs."""
        stream = _Open(identity, end)
        self._open.add(stream)
        try:
            yield
        finally:
            self._open.discard(stream)

    @asynccontextmanager
    async def at_work(self) -> AsyncGenerator[None]:
        """Checks credentials while the block runs."""
        looking = asyncio.create_task(self._look_on())
        try:
            yield
        finally:
            looking.cancel()

    async def _look_on(self) -> None:
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            for tenant in {stream.identity.tenant for stream in self._open}:
                await self._look(tenant)

    async def _look(self, tenant: str) -> None:
        streams = [stream for stream in self._open if stream.identity.tenant == tenant]
        try:
            ended = await asyncio.to_thread(
                self._ended,
                tenant,
                {key for stream in streams if (key := stream.identity.key_id)},
                {session for stream in streams if (session := stream.identity.session_id)},
            )
        except DATABASE_ERRORS as error:
            # A database that is away for a moment ends no stream; the next look may.
            _log.warning("the credentials of streams can't be looked at: %s", type(error).__name__)
            return
        now = datetime.now(UTC)
        for stream in streams:
            who = stream.identity
            is_late = who.expires_at is not None and who.expires_at <= now
            if ended is None or is_late or ended & {who.key_id, who.session_id}:
                stream.end()

    def _ended(
        self, tenant: str, keys: Iterable[str], sessions: Iterable[str]
    ) -> frozenset[str] | None:
        """The keys and sessions among these that are no longer valid; None if the tenant is
        disabled or gone."""
        with self.store.tenant(tenant) as connection:
            found = find_tenant(connection, tenant)
            if found is None or found.disabled_at is not None:
                return None
            return ended_keys(connection, keys) | ended_sessions(connection, sessions)
