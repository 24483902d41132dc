"""Session middleware: opens a browser's cookie, and refuses changes that don't come from one of our
own pages."""

import hmac
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from veridical.console.form import field
from veridical.console.session import COOKIE, Session, SessionSealer
from veridical.console.upload import MULTIPART, parse_upload
from veridical.server.access_log import request_id_of
from veridical.server.problem import ProblemCode, ProblemError, problem_response
from veridical.server.security import given

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
            if not await self._is_ours(scope, headers, session, body):
                error = ProblemError(ProblemCode.FORGED_FORM)
                language = scope["state"]["language"]
                await problem_response(error, language, request_id_of(scope))(scope, receive, send)
                return
        # no sign-in by header: a page is no interface for programs
        scope = {**scope, "headers": [*scope["headers"]]}
        del MutableHeaders(scope=scope)["authorization"]
        await self.app(scope, receive, send)

    async def _is_ours(
        self, scope: Scope, headers: Headers, session: Session | None, body: bytes
    ) -> bool:
        """True if a console page sent this: by the browser's headers and the session's token."""
        if not _is_same_origin(headers):
            return False
        if scope["path"] in self._open:
            return True
        if session is None:
            return True  # not signed in: authentication reports that
        token = headers.get(CSRF_HEADER) or await _field(headers, body)
        return hmac.compare_digest(token.encode(), session.csrf.encode())


def _is_same_origin(headers: Headers) -> bool:
    """True if the browser says that a page of this address sent it. One that names the site is
    believed; its ``Origin`` is empty because our pages send no referrer."""
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site == "same-origin"
    return urlsplit(headers.get("origin", "")).netloc == headers.get("host")


async def _field(headers: Headers, body: bytes) -> str:
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == MULTIPART:
        fields, _ = await parse_upload(headers, body)
        return field(fields, CSRF_FIELD)
    if kind != FORM:
        return ""
    return parse_qs(body.decode("utf-8", "replace")).get(CSRF_FIELD, [""])[0]


async def _whole(receive: Receive) -> bytes:
    parts: list[bytes] = []
    while True:
        message: Message = await receive()
        parts.append(message.get("body", b""))
        if not message.get("more_body", False):
            return b"".join(parts)
