"""Security middleware of every route: response headers, framing, body limits, deadlines."""

import asyncio
from collections.abc import AsyncGenerator, Generator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from math import inf

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from veridical.messages import message
from veridical.server.access_log import request_id_of
from veridical.server.problem import ProblemCode, ProblemError, problem_response

OF_GRACE = 0.8
"""Share of a stopping server's grace period in which answers may finish. The rest is for sending
errors."""


class ResponseDeadlines:
    """The deadlines of all requests whose responses have not started."""

    def __init__(self, seconds: float, closing: asyncio.Event, stop_seconds: float) -> None:
        self._seconds = seconds
        self._closing = closing
        self._grace = stop_seconds * OF_GRACE
        self._open: set[asyncio.Timeout] = set()

    @contextmanager
    def track(self) -> Generator[asyncio.Timeout]:
        """The deadline of one request, for it to enter."""
        deadline = asyncio.timeout(self._grace if self._closing.is_set() else self._seconds)
        self._open.add(deadline)
        try:
            yield deadline
        finally:
            self._open.discard(deadline)

    def met(self, deadline: asyncio.Timeout) -> None:
        """The response has started: lift its deadline."""
        self._open.discard(deadline)
        deadline.reschedule(None)

    @property
    def missed(self) -> ProblemError:
        """The error for a response that did not start in time."""
        if self._closing.is_set():
            return ProblemError(ProblemCode.CLOSING, retry_after=1.0)
        return ProblemError(ProblemCode.TIMED_OUT, seconds=f"{self._seconds:g}")

    @asynccontextmanager
    async def at_work(self) -> AsyncGenerator[None]:
        """Shortens all deadlines when the server is asked to stop, while the block runs."""
        looking = asyncio.create_task(self._shorten())
        try:
            yield
        finally:
            looking.cancel()

    async def _shorten(self) -> None:
        await self._closing.wait()
        end = asyncio.get_running_loop().time() + self._grace
        for deadline in self._open:
            if (when := deadline.when()) is None or when > end:
                deadline.reschedule(end)


_NOTHING_LOADED = "default-src 'none'; frame-ancestors 'none'"
_DOCS_LOADED = (
    "default-src 'none'; connect-src 'self'; img-src 'self' https://fastapi.tiangolo.com data:; "
    "script-src 'unsafe-inline' https://cdn.jsdelivr.net; "
    "style-src 'unsafe-inline' https://cdn.jsdelivr.net; frame-ancestors 'none'"
)
_ALWAYS = (
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-resource-policy", "same-origin"),
)
_SECURE_FROM_NOW_ON = (b"strict-transport-security", b"max-age=31536000")
_UNCACHED = (b"cache-control", b"no-store")
_JSON = "application/json"
_ONCE = (
    b"authorization",
    b"content-length",
    b"content-type",
    b"host",
    b"idempotency-key",
    b"last-event-id",
    b"transfer-encoding",
)
"""Headers of which a request has one at most."""


class HeadersMiddleware:
    """Adds security headers for browsers."""

    def __init__(
        self, app: ASGIApp, docs_paths: Sequence[str] = (), policy: str = _NOTHING_LOADED
    ) -> None:
        self.app = app
        self._docs_paths = frozenset(docs_paths)
        self._plain = _encoded(policy)
        self._docs = _encoded(_DOCS_LOADED)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        fixed = self._docs if scope["path"] in self._docs_paths else self._plain

        async def dressed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = list(message.get("headers", ()))
                if not any(name == b"cache-control" for name, _ in headers):
                    headers.append(_UNCACHED)
                if scope["scheme"] == "https":
                    headers.append(_SECURE_FROM_NOW_ON)
                message["headers"] = [*headers, *fixed]
            await send(message)

        await self.app(scope, receive, dressed)


def _encoded(policy: str) -> list[tuple[bytes, bytes]]:
    pairs = (*_ALWAYS, ("content-security-policy", policy))
    return [(name.encode(), value.encode()) for name, value in pairs]


class BodyMiddleware:
    """Reads bodies up to a size limit and within a time limit, and accepts JSON only, or
    the media types of its configuration."""

    def __init__(
        self,
        app: ASGIApp,
        most_bytes: int,
        seconds: float = inf,
        accepts: Sequence[str] = (_JSON,),
    ) -> None:
        self.app = app
        self._most = most_bytes
        self._seconds = seconds
        self._accepts = accepts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        headers = Headers(scope=scope) if scope["type"] == "http" else {}
        if "content-length" not in headers and "transfer-encoding" not in headers:
            await self.app(scope, receive, send)
            return
        try:
            async with asyncio.timeout(None if self._seconds == inf else self._seconds):
                body = await self._read(headers, receive)
        except (ProblemError, TimeoutError) as raised:
            error = raised if isinstance(raised, ProblemError) else self._too_slow()
            response = problem_response(error, scope["state"]["language"], request_id_of(scope))
            await response(scope, receive, send)
            return
        if body is not None:
            await self.app(scope, given(body, receive), send)

    async def _read(self, headers: Mapping[str, str], receive: Receive) -> bytes | None:
        """The whole body; none when the caller has gone. Raises ``ProblemError``."""
        length = headers.get("content-length", "")
        if length.isdecimal() and int(length) > self._most:
            raise self._too_large()
        parts: list[bytes] = []
        size, more = 0, True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            part = message.get("body", b"")
            size += len(part)
            if size > self._most:
                raise self._too_large()
            parts.append(part)
            more = message.get("more_body", False)
        if size and not self._is_accepted(headers.get("content-type", "")):
            accepted = {"accept": ", ".join(self._accepts)}
            raise ProblemError(ProblemCode.UNSUPPORTED_MEDIA_TYPE, headers=accepted)
        return b"".join(parts)

    def _is_accepted(self, content_type: str) -> bool:
        kind = content_type.partition(";")[0].strip().lower()
        is_json = kind.startswith("application/") and kind.endswith("+json")
        return kind in self._accepts or (is_json and _JSON in self._accepts)

    def _too_large(self) -> ProblemError:
        # What is still being sent is not read, so the connection can't be used again.
        closing = {"connection": "close"}
        return ProblemError(ProblemCode.TOO_LARGE, headers=closing, limit=self._most)

    def _too_slow(self) -> ProblemError:
        closing = {"connection": "close"}
        return ProblemError(ProblemCode.TOO_SLOW, headers=closing, seconds=f"{self._seconds:g}")


def given(body: bytes, receive: Receive) -> Receive:
    """Gives the body once, then whatever comes after it."""
    left: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def read() -> Message:
        return left.pop() if left else await receive()

    return read


class DeadlineMiddleware:
    """Ends a request whose response does not start in time. A stream may then continue."""

    def __init__(self, app: ASGIApp, deadlines: ResponseDeadlines) -> None:
        self.app = app
        self._deadlines = deadlines

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        with self._deadlines.track() as deadline:

            async def watched(message: Message) -> None:
                if message["type"] == "http.response.start":
                    self._deadlines.met(deadline)
                await send(message)

            try:
                async with deadline:
                    await self.app(scope, receive, watched)
            except TimeoutError:
                if not deadline.expired():
                    raise
                late = self._deadlines.missed
                response = problem_response(late, scope["state"]["language"], request_id_of(scope))
                await response(scope, receive, send)


class FramingMiddleware:
    """Rejects conflicting body lengths and duplicated headers that may occur once."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http" or not _is_ambiguous(scope["headers"]):
            await self.app(scope, receive, send)
            return
        language = scope["state"]["language"]
        error = ProblemError(
            ProblemCode.BAD_REQUEST,
            detail=message("problem.ambiguous", language),
            headers={"connection": "close"},
        )
        await problem_response(error, language, request_id_of(scope))(scope, receive, send)


def _is_ambiguous(headers: list[tuple[bytes, bytes]]) -> bool:
    names = [name for name, _ in headers]
    if b"content-length" in names and b"transfer-encoding" in names:
        return True
    return len(set(names)) < len(names) and any(names.count(name) > 1 for name in _ONCE)
