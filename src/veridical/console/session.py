"""The session of a browser: a sealed cookie with the credential, and a row that says it is open.

Every request is authenticated again with the credential in the cookie, so that a revoked key ends
its sessions. The row is checked every time as well: signing out ends every copy of the cookie,
whichever server it is sent to.
"""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from starlette.types import Scope

from veridical.console.seal import Sealer
from veridical.server.auth import AuthError, Reason
from veridical.server.identity import Identity
from veridical.server.services import Services
from veridical.server.sessions import begin_session, ended_sessions

COOKIE = "veridical_session"
SESSION_SECONDS = 12 * 3600
_PURPOSE = b"veridical console session with a record"


@dataclass(frozen=True, slots=True)
class Session:
    """The session of a signed-in browser."""

    id: str
    credential: str
    csrf: str
    """Sent with every form: a foreign page can't know it."""


class SessionSealer:
    """Seals sessions into cookies, and opens them again."""

    def __init__(self, secret: str | None, clock: Callable[[], float] = time.time) -> None:
        self._sealer = Sealer(secret, _PURPOSE, SESSION_SECONDS, clock)

    def seal(self, session_id: str, credential: str) -> str:
        """The cookie for a new session with this credential."""
        return self._sealer.seal(session_id, credential)

    def open(self, cookie: str) -> Session | None:
        """The session in a cookie; none where it is not ours, was altered or is too old."""
        content = self._sealer.open(cookie)
        if content is None:
            return None
        session_id, credential = content
        return Session(session_id, credential, self._sealer.sign(f"csrf{cookie}"))


class SignedIn:
    """Identifies the person of a browser's session."""

    def __init__(self, services: Services) -> None:
        self._identify = services.identify
        self._store = services.door or services.store

    async def __call__(self, scope: Scope) -> Identity:
        """The identity that sent this request. Raises ``AuthError``."""
        session: Session | None = scope["state"]["session"]
        if session is None:
            raise AuthError(Reason.MISSING)
        identity = await self._identify(f"Bearer {session.credential}")
        if await asyncio.to_thread(self._is_over, identity.tenant, session.id):
            raise AuthError(Reason.SIGNED_OUT)
        return replace(identity, session_id=session.id)

    async def begin(self, identity: Identity) -> str:
        """Records the sign-in; returns the id of the session."""
        return await asyncio.to_thread(self._begin, identity)

    def _is_over(self, tenant: str, session_id: str) -> bool:
        with self._store.tenant(tenant) as connection:
            return bool(ended_sessions(connection, (session_id,)))

    def _begin(self, identity: Identity) -> str:
        with self._store.tenant(identity.tenant) as connection:
            return begin_session(connection, identity, SESSION_SECONDS)
