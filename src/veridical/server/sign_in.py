"""Who sent a request is found out before anything of it is read; each tenant has its share."""

from collections.abc import Sequence
from contextlib import ExitStack

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from veridical.server.exchange import request_id_of
from veridical.server.places import Places
from veridical.server.problem import problem_response
from veridical.server.security import given
from veridical.server.services import Services
from veridical.server.stream import MEDIA_TYPE as STREAM
from veridical.server.telling import problem_for
from veridical.server.threads import ON_BEHALF_OF

PROTECTED = ("/v1/", "/mcp")
"""Where a credential is needed, whatever is there."""
_AUTHORIZATION = "authorization"
_CLOSING = {"connection": "close"}


class SignInMiddleware:
    """Lets nobody further who is not known, and of one tenant no more than its share."""

    def __init__(self, app: ASGIApp, services: Services, places: Places) -> None:
        self.app = app
        self._identify = services.identify
        self._places = places

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if not is_protected(scope["path"]):
            if has_body(headers):  # nothing here takes one
                receive, send = given(b"", receive), _closing(send)
            await self.app(scope, receive, send)
            return
        with ExitStack() as place:
            try:
                identity = await self._identify(headers.get(_AUTHORIZATION))
                scope["state"]["identity"] = identity
                place.enter_context(self._places.one(identity))
            except Exception as error:
                language = scope["state"]["language"]
                told = problem_for(error, language)
                if has_body(headers):  # nobody reads it: the connection can't be used again
                    told.headers = {**told.headers, **_CLOSING}
                response = problem_response(told, language, request_id_of(scope))
                await response(scope, receive, send)
                return
            on_behalf = ON_BEHALF_OF.set(identity.tenant)
            try:
                await self.app(scope, receive, _leaving(place, send))
            finally:
                ON_BEHALF_OF.reset(on_behalf)


def is_protected(path: str, prefixes: Sequence[str] = PROTECTED) -> bool:
    """Whether one must be known to come here."""
    return path.startswith(tuple(prefixes))


def has_body(headers: Headers) -> bool:
    """Whether something follows the headers."""
    return "transfer-encoding" in headers or headers.get("content-length", "0") != "0"


def _closing(send: Send) -> Send:
    """What was sent is not read, so the connection can't be used again."""

    async def watched(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", ()), (b"connection", b"close")]
        await send(message)

    return watched


def _leaving(place: ExitStack, send: Send) -> Send:
    """A stream has a place of its own kind: it leaves this one when it begins."""

    async def watched(message: Message) -> None:
        if message["type"] == "http.response.start":
            kind = Headers(raw=message.get("headers", [])).get("content-type", "")
            if kind.startswith(STREAM):
                place.close()
        await send(message)

    return watched
