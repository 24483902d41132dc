"""Access log middleware: request id, one log line and metrics for each request.

It is the outermost layer: an error that nothing below it handled becomes a problem response without
internals.
"""

import asyncio
import logging
import re
import time
from http import HTTPStatus
from typing import Any
from uuid import uuid4

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from veridical.contracts.language import Language
from veridical.server.language import preferred_language
from veridical.server.metrics import Metrics
from veridical.server.problem import ProblemCode, ProblemError, problem_response

REQUEST_ID = "X-Request-ID"
_REQUEST_ID = REQUEST_ID.lower().encode()
UNMATCHED = "unmatched"
_GIVEN_ID = re.compile(r"[A-Za-z0-9_-]{8,64}")
_LONGEST_PATH = 200
_CLOSED_BY_CALLER = 499

_access = logging.getLogger("veridical.access")
_log = logging.getLogger("veridical.server")


def request_id_of(scope: Scope) -> str:
    """The id under which this request is logged."""
    return scope["state"]["request_id"]


_BRAKE_SECONDS = 0.3
"""Seconds before a rejection: rejecting costs as well, and a client that waits sends less."""


class AccessLogMiddleware:
    """Assigns request ids, measures requests, and turns unhandled errors into responses."""

    def __init__(self, app: ASGIApp, metrics: Metrics, language: Language) -> None:
        self.app = app
        self._metrics = metrics
        self._language = language

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        state: dict[str, Any] = scope.setdefault("state", {})
        given = headers.get(REQUEST_ID, "")
        request_id = state["request_id"] = given if _GIVEN_ID.fullmatch(given) else uuid4().hex
        state["language"] = preferred_language(headers.get("accept-language"), self._language)
        started, status = time.perf_counter(), 0

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                named = (_REQUEST_ID, request_id.encode())
                message["headers"] = [*message.get("headers", ()), named]
                if status == HTTPStatus.TOO_MANY_REQUESTS:
                    await asyncio.sleep(_BRAKE_SECONDS)
            await send(message)

        try:
            await self.app(scope, receive, watched)
        except Exception:
            _log.exception("request %s broke", request_id)
            if status:
                raise
            error = ProblemError(ProblemCode.INTERNAL)
            await problem_response(error, state["language"], request_id)(scope, receive, watched)
        finally:
            seconds = time.perf_counter() - started
            self._note(scope, status or _CLOSED_BY_CALLER, seconds)

    def _note(self, scope: Scope, status: int, seconds: float) -> None:
        route = getattr(scope.get("route"), "path", UNMATCHED)
        self._metrics.observe(scope["method"], route, status, seconds)
        if not _access.isEnabledFor(logging.INFO):
            return
        state = scope["state"]
        identity = state.get("identity")
        # The raw path is ASCII; the query is private and not logged.
        path = scope.get("raw_path", b"").decode("ascii", "replace")[:_LONGEST_PATH]
        _access.info(
            "%s %s %d %.1f ms tenant=%s by=%s request=%s",
            scope["method"],
            path,
            status,
            seconds * 1000,
            getattr(identity, "tenant", "-"),
            getattr(identity, "name", "-"),
            state["request_id"],
        )
