"""Authentication middleware: rejects unknown senders before the body is read, and limits each
tenant's concurrency."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack
from functools import partial

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from veridical.server.access_log import request_id_of
from veridical.server.credential_monitor import CredentialMonitor
from veridical.server.error_handlers import problem_for
from veridical.server.fair_turns import ON_BEHALF_OF
from veridical.server.identity import Identity
from veridical.server.limits import ConcurrencyLimit
from veridical.server.oauth_resource import MCP_PATH
from veridical.server.problem import ProblemCode, problem_response
from veridical.server.security import given
from veridical.server.services import Identify, Services
from veridical.server.stream import MEDIA_TYPE as STREAM
from veridical.store.audit import BY_KEY

PROTECTED = ("/v1/", "/api/", "/mcp")
"""Path prefixes that need a credential."""
_AUTHORIZATION = "authorization"
_ENDED = b": the credential has ended\n\n"
_CLOSING = {"connection": "close"}
IdentifySender = Callable[[Scope], Awaitable[Identity]]
"""Returns the sender of a request. Raises ``AuthError``."""


class AuthenticationMiddleware:
    """Passes on authenticated requests only, within each tenant's share of concurrent requests."""

    def __init__(
        self,
        app: ASGIApp,
        services: Services,
        limit: ConcurrencyLimit,
        monitor: CredentialMonitor,
        protected: Sequence[str] = PROTECTED,
        identify: IdentifySender | None = None,
    ) -> None:
        self.app = app
        self._protected = protected
        self._oauth = services.oauth
        self._identify = identify or _by_header(services.identify)
        self._limit = limit
        self._monitor = monitor

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if not is_protected(scope["path"], self._protected):
            if has_body(headers):  # nothing here takes one
                receive, send = given(b"", receive), _closing(send)
            await self.app(scope, receive, send)
            return
        with ExitStack() as place:
            try:
                identity = await self._identify(scope)
                scope["state"]["identity"] = identity
                place.enter_context(self._limit.slot(identity))
            except Exception as error:
                language = scope["state"]["language"]
                problem = problem_for(error, language)
                if self._oauth and problem.code is ProblemCode.UNAUTHENTICATED:
                    is_mcp = scope["path"].startswith(MCP_PATH)
                    challenge = {"www-authenticate": self._oauth.challenge} if is_mcp else {}
                    problem.headers = {**problem.headers, **challenge}
                if has_body(headers):  # the body is not read: the connection can't be used again
                    problem.headers = {**problem.headers, **_CLOSING}
                response = problem_response(problem, language, request_id_of(scope))
                await response(scope, receive, send)
                return
            on_behalf, by_key = ON_BEHALF_OF.set(identity.tenant), BY_KEY.set(identity.key_id or "")
            try:
                await self._served(identity, place, scope, receive, send)
            finally:
                ON_BEHALF_OF.reset(on_behalf)
                BY_KEY.reset(by_key)

    async def _served(
        self, identity: Identity, place: ExitStack, scope: Scope, receive: Receive, send: Send
    ) -> None:
        """One request of somebody who is known. A stream has a place of its own kind: it leaves
        this one when it begins, and ends with the credential."""
        until = asyncio.timeout(None)
        with ExitStack() as watch:

            async def watched(message: Message) -> None:
                if _begins_stream(message):
                    place.close()
                    watch.enter_context(self._monitor.watch(identity, partial(until.reschedule, 0)))
                await send(message)

            try:
                async with until:
                    await self.app(scope, receive, watched)
            except TimeoutError:
                if not until.expired():
                    raise
                await send({"type": "http.response.body", "body": _ENDED, "more_body": False})


def _by_header(identify: Identify) -> IdentifySender:
    async def sender(scope: Scope) -> Identity:
        return await identify(Headers(scope=scope).get(_AUTHORIZATION))

    return sender


def is_protected(path: str, prefixes: Sequence[str] = PROTECTED) -> bool:
    """True if this path needs a credential."""
    return path.startswith(tuple(prefixes))


def has_body(headers: Headers) -> bool:
    """True if the request has a body."""
    return "transfer-encoding" in headers or headers.get("content-length", "0") != "0"


def _closing(send: Send) -> Send:
    """Close the connection after the response: the body is not read, so it can't be used again."""

    async def watched(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", ()), (b"connection", b"close")]
        await send(message)

    return watched


def _begins_stream(message: Message) -> bool:
    if message["type"] != "http.response.start":
        return False
    return Headers(raw=message.get("headers", [])).get("content-type", "").startswith(STREAM)
