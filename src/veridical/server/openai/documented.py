"""What the reference says of the errors of these routes: OpenAI's shape, where they tell it."""

from http import HTTPStatus

from veridical.server.openai.error import ErrorBody
from veridical.server.responses import Documented, problem

_ALWAYS = (401, 403, 429, 500, 503)
_BEFORE_THE_ROUTE = (413, 415, 500, 504)
"""Told as problems by what stands before every route."""


def errors(*also: int) -> Documented:
    """The errors of an operation that needs a credential."""
    return {
        status: problem(status)
        if status in _BEFORE_THE_ROUTE
        else {"model": ErrorBody, "description": HTTPStatus(status).phrase}
        for status in sorted({*_ALWAYS, *also})
    }
