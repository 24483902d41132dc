"""OpenAPI documentation of the errors of the OpenAI routes."""

from http import HTTPStatus
from typing import Any

from veridical.server.openai.error import ErrorBody
from veridical.server.openapi_responses import Documented, problem

_ALWAYS = (401, 403, 429, 500, 503)


def errors(*also: int) -> Documented:
    """The errors of an operation that needs a credential."""
    return {status: _error(status) for status in sorted({*_ALWAYS, *also})}


def _error(status: int) -> dict[str, Any]:
    headers = problem(status)["headers"]
    return {"model": ErrorBody, "description": HTTPStatus(status).phrase, "headers": headers}
