"""What the reference says of the errors of these routes: OpenAI's shape, where they tell it."""

from http import HTTPStatus
from typing import Any

from veridical.server.openai.error import ErrorBody
from veridical.server.responses import Documented, problem

_ALWAYS = (401, 403, 429, 500, 503)
_BEFORE_THE_ROUTE = (413, 415, 500, 504)
"""Told as problems, by what stands before every route."""
_EITHER_WAY = (400, 503)


def errors(*also: int) -> Documented:
    """The errors of an operation that needs a credential."""
    return {status: _error(status) for status in sorted({*_ALWAYS, *also})}


def _error(status: int) -> dict[str, Any]:
    if status in _BEFORE_THE_ROUTE:
        return problem(status)
    told = {"model": ErrorBody, "description": HTTPStatus(status).phrase}
    return {**problem(status), **told} if status in _EITHER_WAY else told
