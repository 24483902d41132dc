"""The session of a browser: a sealed cookie with the credential, and a row that says it is open.

Every request is authenticated again with the credential in the cookie, so that a revoked key ends
its sessions. The row is checked every time as well: signing out ends every copy of the cookie,
whichever server it is sent to.
"""

import asyncio
import hmac
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from veridical.console.form import MOST_UPLOADS, MULTIPART, Form, field, parse_uploads
from veridical.console.seal import Sealer
from veridical.server.access_log import request_id_of
from veridical.server.auth import AuthError, Reason
from veridical.server.identity import Identity
from veridical.server.problem import ProblemCode, ProblemError, problem_response
from veridical.server.security import given
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


CSRF_FIELD = "csrf"
CSRF_HEADER = "x-csrf-token"
_READING = frozenset({"GET", "HEAD"})
FORM = "application/x-www-form-urlencoded"


class SessionMiddleware:
    """Adds the session to the request, after the body was read."""

    def __init__(self, app: ASGIApp, sealer: SessionSealer, open_paths: frozenset[str]) -> None:
        self.app = app
        self._sealer = sealer
        self._open = open_paths

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        session = self._sealer.open(cookie_parser(headers.get("cookie", "")).get(COOKIE, ""))
        scope["state"]["session"] = session
        if scope["method"] not in _READING:
            body = await _whole(receive)
            receive = given(body, receive)
            fields = await _fields(headers, body)
            scope["state"]["fields"] = fields
            if not self._is_ours(scope, headers, session, fields):
                error = ProblemError(ProblemCode.FORGED_FORM)
                language = scope["state"]["language"]
                await problem_response(error, language, request_id_of(scope))(scope, receive, send)
                return
        # no sign-in by header: a page is no interface for programs
        scope = {**scope, "headers": [*scope["headers"]]}
        del MutableHeaders(scope=scope)["authorization"]
        await self.app(scope, receive, send)

    def _is_ours(
        self, scope: Scope, headers: Headers, session: Session | None, fields: Form
    ) -> bool:
        """True if a console page sent this: by the browser's headers and the session's token."""
        if not _is_same_origin(headers):
            return False
        if scope["path"] in self._open:
            return True
        if session is None:
            return True  # not signed in: authentication reports that
        token = headers.get(CSRF_HEADER) or field(fields, CSRF_FIELD)
        return hmac.compare_digest(token.encode(), session.csrf.encode())


def _is_same_origin(headers: Headers) -> bool:
    """True if the browser says that a page of this address sent it. One that names the site is
    believed; its ``Origin`` is empty because our pages send no referrer."""
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site == "same-origin"
    return urlsplit(headers.get("origin", "")).netloc == headers.get("host")


async def _fields(headers: Headers, body: bytes) -> Form:
    """The fields of a form that was sent; none of other content."""
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == MULTIPART:
        return (await parse_uploads(headers, body, MOST_UPLOADS))[0]
    return parse_qs(body.decode("utf-8", "replace")) if kind == FORM else {}


async def _whole(receive: Receive) -> bytes:
    parts: list[bytes] = []
    while True:
        message: Message = await receive()
        parts.append(message.get("body", b""))
        if not message.get("more_body", False):
            return b"".join(parts)
