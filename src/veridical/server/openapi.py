"""The OpenAPI document: FastAPI's own, completed with what it cannot infer, and every status that
an operation can return."""

from collections.abc import Iterable, Iterator
from http import HTTPStatus
from importlib.metadata import version
from typing import Any, cast

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from veridical.contracts.wire import Wire
from veridical.server.problem import MEDIA_TYPE, Problem
from veridical.word_file import word_file

TITLE = "Veridical"
SUMMARY = "The trust layer between language models and business data."
_DESCRIPTION = f"""
Ask questions about business data and get verified answers; start durable runs and watch them;
decide what waits for a person; check queries and answers of your own agents.

The tenant comes from the credential, never from a request. Every error is `{MEDIA_TYPE}` (RFC 9457)
with a stable `code`, in the language of `Accept-Language` (English, German or Chinese).
"""
_SCHEME = "credential"
_OPEN = ("/health/", "/metrics")

Documented = dict[int | str, dict[str, Any]]
_ALWAYS = (401, 403, 422, 429, 500, 503)
_WITH_BODY = (400, 408, 413, 415, 504)
SCHEMAS = "#/components/schemas/"
PROBLEM_SCHEMA = f"{SCHEMAS}Problem"
BODIES: set[type[Wire]] = set()
"""Bodies that routes parse themselves, so that FastAPI does not know them."""
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


def examples(operation: str) -> dict[str, Any]:
    """The examples of an operation's body, by name."""
    return word_file("veridical.server.routes", "examples.toml")[operation]


def body(model: type[Wire], operation: str) -> dict[str, Any]:
    """A body that the route hands on as it is; ``BODIES`` has its schema for the document."""
    BODIES.add(model)
    schema = {"$ref": f"{SCHEMAS}{model.__name__}"}
    content = {"application/json": {"schema": schema, "examples": examples(operation)}}
    return {"requestBody": {"required": True, "content": content}}


def problem(status: int) -> dict[str, Any]:
    """The documentation of one status."""
    return {
        "description": HTTPStatus(status).phrase,
        "headers": {
            name: {"description": description, "schema": {"type": "string"}}
            for name, description in _HEADERS.get(status, {}).items()
        },
        "content": {MEDIA_TYPE: {"schema": {"$ref": PROBLEM_SCHEMA}}},
    }


def describe(app: FastAPI) -> dict[str, Any]:
    """The document, made once."""
    if app.openapi_schema is None:
        document = get_openapi(
            title=TITLE,
            version=version("veridical"),
            summary=SUMMARY,
            description=_DESCRIPTION.strip(),
            routes=app.routes,
        )
        components = document.setdefault("components", {})
        for model in (Problem, *BODIES):
            _add(components, model)
        _require_tags(document)
        components["securitySchemes"] = {
            _SCHEME: {
                "type": "http",
                "scheme": "bearer",
                "description": "An API key (`vk_…`) or a token of the identity provider.",
            }
        }
        for path, operations in document["paths"].items():
            if not path.startswith(_OPEN):
                for operation in operations.values():
                    operation["security"] = [{_SCHEME: []}]
        app.openapi_schema = document
    return app.openapi_schema


def _require_tags(part: Any) -> None:
    """Make the tag of tagged unions required: it selects the form, though it has a default."""
    tagged = [each for each in _objects(part) if "discriminator" in each]
    schemas = part["components"]["schemas"]
    for each in tagged:
        tag = each["discriminator"]["propertyName"]
        for reference in each["discriminator"]["mapping"].values():
            schema = schemas[reference.rpartition("/")[2]]
            schema["required"] = sorted({*schema.get("required", ()), tag})


def _objects(part: Any) -> Iterator[dict[str, Any]]:
    if isinstance(part, dict):
        yield cast("dict[str, Any]", part)
    parts: Iterable[Any] = part.values() if isinstance(part, dict) else part
    for each in parts if isinstance(part, dict | list) else ():
        yield from _objects(each)


def _add(components: dict[str, Any], model: type[Wire]) -> None:
    mode: Any = "serialization" if model is Problem else "validation"
    schema = model.model_json_schema(by_alias=True, ref_template=f"{SCHEMAS}{{model}}", mode=mode)
    schemas = components.setdefault("schemas", {})
    for name, definition in {**schema.pop("$defs", {}), model.__name__: schema}.items():
        schemas.setdefault(name, definition)
