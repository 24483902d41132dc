"""Problem pages middleware: a browser is shown a page where a program would get a problem."""

import json
from http import HTTPStatus
from typing import Any
from urllib.parse import quote

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from veridical.console.page import HX_REQUEST, SIGN_IN, page
from veridical.server.problem import MEDIA_TYPE

_KEPT = ("retry-after", "connection")


class ProblemPagesMiddleware:
    """Turns problem documents into pages; without an identity, redirects to the sign-in."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        starts: list[Message] = []
        parts: list[bytes] = []

        async def watched(message: Message) -> None:
            if message["type"] == "http.response.start" and _is_problem(message):
                starts.append(message)
            elif starts:
                parts.append(message.get("body", b""))
            else:
                await send(message)

        await self.app(scope, receive, watched)
        if starts:
            request = Request(scope, receive)
            problem = json.loads(b"".join(parts))
            response = _response(request, problem, Headers(raw=starts[0]["headers"]))
            await response(scope, receive, send)


def _is_problem(message: Message) -> bool:
    headers = Headers(raw=message.get("headers", []))
    return headers.get("content-type", "").startswith(MEDIA_TYPE)


def _response(request: Request, problem: dict[str, Any], headers: Headers) -> Response:
    status = int(problem["status"])
    if status == HTTPStatus.UNAUTHORIZED:
        return _to_sign_in(request)
    is_part = HX_REQUEST in request.headers
    kept = {name: headers[name] for name in _KEPT if name in headers}
    shown = (
        page(request, "part_failed.html", status=status, problem=problem["detail"])
        if is_part
        else page(request, "problem.html", status=status, problem=problem)
    )
    shown.headers.update(kept)
    return shown


def _to_sign_in(request: Request) -> Response:
    path = request.url.path
    query = f"?{request.url.query}" if request.url.query else ""
    there = f"{SIGN_IN}?next={quote(path + query)}" if request.method == "GET" else SIGN_IN
    if HX_REQUEST in request.headers:  # the whole page goes there, not a part of it
        return Response(status_code=HTTPStatus.NO_CONTENT, headers={"hx-redirect": there})
    return RedirectResponse(there, HTTPStatus.SEE_OTHER)
