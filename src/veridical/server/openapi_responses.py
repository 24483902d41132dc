"""OpenAPI documentation of responses: every status that an operation can return."""

from http import HTTPStatus
from typing import Any

from veridical.contracts.wire import Wire
from veridical.server.problem import MEDIA_TYPE

Documented = dict[int | str, dict[str, Any]]
_ALWAYS = (401, 403, 422, 429, 500, 503)
_WITH_BODY = (400, 408, 413, 415, 504)
SCHEMAS = "#/components/schemas/"
PROBLEM_SCHEMA = f"{SCHEMAS}Problem"
BODIES: set[type[Wire]] = set()
"""What routes read by themselves, so that FastAPI does not know of it."""
_HEADERS: dict[int, dict[str, str]] = {
    401: {"WWW-Authenticate": "How to sign in."},
    405: {"Allow": "The methods that there are."},
    429: {"Retry-After": "Seconds until a new attempt is worth it."},
    503: {"Retry-After": "Seconds until a new attempt is worth it."},
}


def problems(*also: int, body: bool = False) -> Documented:
    """The problems of an operation that needs a credential; some take a body too."""
    statuses = sorted({*_ALWAYS, *also, *(_WITH_BODY if body else ())})
    return {status: problem(status) for status in statuses}


def body(model: type[Wire], examples: dict[str, Any]) -> dict[str, Any]:
    """A body that the route hands on as it is; ``BODIES`` has its schema for the document."""
    BODIES.add(model)
    schema = {"$ref": f"{SCHEMAS}{model.__name__}"}
    content = {"application/json": {"schema": schema, "examples": examples}}
    return {"requestBody": {"required": True, "content": content}}


def problem(status: int) -> dict[str, Any]:
    """How one status is documented."""
    return {
        "description": HTTPStatus(status).phrase,
        "headers": {
            name: {"description": told, "schema": {"type": "string"}}
            for name, told in _HEADERS.get(status, {}).items()
        },
        "content": {MEDIA_TYPE: {"schema": {"$ref": PROBLEM_SCHEMA}}},
    }
