"""Request framing middleware: rejects ambiguous requests, against request smuggling."""

from starlette.types import ASGIApp, Receive, Scope, Send

from veridical.messages import message
from veridical.server.access_log import request_id_of
from veridical.server.problem import ProblemCode, ProblemError, problem_response

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
