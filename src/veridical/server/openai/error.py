"""Errors in the format that OpenAI's clients raise as exceptions."""

from collections.abc import Callable, Coroutine, Mapping, Sequence
from http import HTTPStatus
from typing import Any

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from veridical.contracts.language import Language
from veridical.messages import message
from veridical.server.body_types import written
from veridical.server.openai.request import REFUSED
from veridical.server.openai.wire_models import ResponseModel
from veridical.server.openapi import Documented, problem
from veridical.server.problem import MEDIA_TYPE, Problem, ProblemCode, request_faults

_CODES: Mapping[ProblemCode, str] = {
    ProblemCode.UNAUTHENTICATED: "invalid_api_key",
    ProblemCode.FEATURE_NOT_FOUND: "model_not_found",
    ProblemCode.RATE_LIMITED: "rate_limit_exceeded",
}
"""Codes that clients know; every other is ours in small letters."""
_TYPES: Mapping[int, str] = {
    401: "authentication_error",
    403: "permission_error",
    429: "rate_limit_error",
}
_CALLERS, _SERVERS = "invalid_request_error", "server_error"
_INTERNAL = 500
_JSON = "application/json"
_ADDRESSES = ("/v1/chat/", "/v1/models")
_EMPTY = "literal['']"
"""The part of an error's location that stands for empty content."""
_MESSAGES = "messages"


class ErrorDetail(ResponseModel):
    """Why a request failed."""

    message: str
    type: str
    param: str | None = None
    """The field that can't be used."""
    code: str | None = None


class ErrorBody(ResponseModel):
    """The body of an error response."""

    error: ErrorDetail


class BadRequestError(Exception):
    """A request with an unsupported or invalid field, with a code."""

    def __init__(self, message: str, param: str, code: str, status: int = 400) -> None:
        super().__init__(message)
        self.status = status
        self.detail = ErrorDetail(message=message, type=_CALLERS, param=param, code=code)


class OpenAIRoute(APIRoute):
    """A route whose validation errors have OpenAI's format."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The route, with its errors in OpenAI's format."""
        handle = super().get_route_handler()

        async def handle_openai(request: Request) -> Response:
            try:
                return await handle(request)
            except RequestValidationError as error:
                bad = unusable(error.errors(), request.state.language)
                return _response(bad.detail, bad.status)
            except BadRequestError as error:
                return _response(error.detail, error.status)

        return handle_openai


class OpenAIErrorsMiddleware:
    """Rewrites problem responses into OpenAI's format on OpenAI routes, whichever layer produced
    them. Status and headers stay."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http" or not scope["path"].startswith(_ADDRESSES):
            await self.app(scope, receive, send)
            return
        begun: Message | None = None

        async def retelling(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start" and _is_problem(message):
                begun = message
            elif begun is not None:
                await _retell(begun, message["body"], send)
            else:
                await send(message)

        await self.app(scope, receive, retelling)


def unusable(errors: Sequence[Mapping[str, Any]], language: Language) -> BadRequestError:
    """The error for an invalid body: its first unsupported field, else all faults."""
    for error in errors:
        field = _field(error["loc"])
        name = field.partition(".")[0]
        if name in REFUSED:
            text = message("openai.unsupported", language, field=name)
            return BadRequestError(text, name, "unsupported_parameter")
        is_kind = error["type"] in ("union_tag_invalid", "literal_error")
        if name == _MESSAGES and is_kind and error["loc"][-1] != _EMPTY:
            text = message("openai.content", language, field=field)
            return BadRequestError(text, field, "unsupported_content")
    hints: dict[str, str] = {}
    for error, fault in zip(errors, request_faults(errors, language), strict=False):
        hints.setdefault(_field(error["loc"]), fault.hint)
    text = "; ".join(f"{field}: {hint}" for field, hint in hints.items())
    param = _field(errors[0]["loc"]) if errors else ""
    return BadRequestError(text, param, "invalid_value")


def detail_of(problem: Problem) -> ErrorDetail:
    """A problem in OpenAI's shape."""
    otherwise = _CALLERS if problem.status < _INTERNAL else _SERVERS
    return ErrorDetail(
        message=problem.detail,
        type=_TYPES.get(problem.status, otherwise),
        code=_CODES.get(problem.code, problem.code.lower()),
    )


def _is_problem(begun: Message) -> bool:
    return MutableHeaders(scope=begun).get("content-type") == MEDIA_TYPE


async def _retell(begun: Message, problem: bytes, send: Send) -> None:
    body = written(ErrorBody(error=detail_of(Problem.model_validate_json(problem))))
    headers = MutableHeaders(scope=begun)
    headers["content-type"] = _JSON
    headers["content-length"] = str(len(body))
    await send(begun)
    await send({"type": "http.response.body", "body": body})


def _response(detail: ErrorDetail, status: int) -> Response:
    return Response(written(ErrorBody(error=detail)), status, media_type=_JSON)


def _field(place: Sequence[object]) -> str:
    """``messages.0.content``: without the tags of the kinds that were tried."""
    parts = [str(part) for part in place if part != "body"]
    if parts[:1] == [_MESSAGES]:
        parts = parts[:2] + [part for part in parts[2:] if part in ("role", "content")][:1]
    return ".".join(parts)


_ALWAYS = (401, 403, 429, 500, 503)


def errors(*also: int) -> Documented:
    """The errors of an operation that needs a credential."""
    return {status: _error(status) for status in sorted({*_ALWAYS, *also})}


def _error(status: int) -> dict[str, Any]:
    headers = problem(status)["headers"]
    return {"model": ErrorBody, "description": HTTPStatus(status).phrase, "headers": headers}
