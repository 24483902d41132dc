"""Exception handlers: translates the exceptions of all layers into problem responses."""

from collections.abc import Callable, Mapping
from typing import Any, cast

import psycopg
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as NoConnectionError
from starlette.exceptions import HTTPException
from starlette.routing import compile_path

from veridical.contracts.language import Language
from veridical.messages import message
from veridical.runs.errors import (
    AlreadyDecidedError,
    EvidenceChangedError,
    IdempotencyConflictError,
    InboxError,
    InvalidChoiceError,
    ItemNotFoundError,
    MayNotDecideError,
    MayNotSeeError,
    NotAwaitedError,
    OwnRequestError,
    RunNotFoundError,
    TimeIsOverError,
    TooLateToUndoError,
)
from veridical.runs.retry import is_transient
from veridical.server.access_log import request_id_of
from veridical.server.keys import LAST_ADMIN_KEY, KeyRefusedError
from veridical.server.problem import (
    Fault,
    ProblemCode,
    ProblemError,
    problem_response,
    request_faults,
)
from veridical.store.connection import UnreachableError

_A_MOMENT = 2.0
_A_WHILE = 60.0
_BY_STATUS: Mapping[int, ProblemCode] = {
    400: ProblemCode.BAD_REQUEST,
    404: ProblemCode.NOT_FOUND,
    405: ProblemCode.METHOD_NOT_ALLOWED,
}
_OF_RUNS: Mapping[type[Exception], ProblemCode] = {
    IdempotencyConflictError: ProblemCode.IDEMPOTENCY_CONFLICT,
    RunNotFoundError: ProblemCode.NOT_FOUND,
}
_OF_INBOX: Mapping[type[InboxError], ProblemCode] = {
    ItemNotFoundError: ProblemCode.NOT_FOUND,
    MayNotSeeError: ProblemCode.NOT_ALLOWED,
    MayNotDecideError: ProblemCode.NOT_ALLOWED,
    OwnRequestError: ProblemCode.OWN_REQUEST,
    EvidenceChangedError: ProblemCode.EVIDENCE_CHANGED,
    AlreadyDecidedError: ProblemCode.ALREADY_DECIDED,
    TimeIsOverError: ProblemCode.EXPIRED,
    TooLateToUndoError: ProblemCode.EXPIRED,
    NotAwaitedError: ProblemCode.ALREADY_FINISHED,
    InvalidChoiceError: ProblemCode.UNFITTING_CHOICE,
}

_OF_KEYS: Mapping[str, str] = {
    "bad_key_name": "name",
    "too_many_actions": "actions",
    "more_than_own": "actions",
    "higher_than_own": "role",
    "longer_than_own": "expiresInDays",
}
"""The part of the request that a key could not be made of."""


def register_error_handlers(app: FastAPI) -> None:
    """Register a handler for every exception that a request can cause."""
    for kind, translate in _TRANSLATIONS.items():
        app.add_exception_handler(kind, _handler(translate))


def problem_for(error: Exception, language: Language) -> ProblemError:
    """The problem for an exception raised outside any route. Re-raises it where there is none."""
    for kind in type(error).__mro__:
        if kind in _TRANSLATIONS:
            return _TRANSLATIONS[kind](error, language)
    raise error


Translate = Callable[[Any, Language], ProblemError]


def _handler(translate: Translate) -> Callable[[Request, Exception], Any]:
    async def tell(request: Request, error: Exception) -> Response:
        language: Language = request.state.language
        problem = translate(error, language)
        response = problem_response(problem, language, request_id_of(request.scope))
        if methods := problem.code is ProblemCode.METHOD_NOT_ALLOWED and _methods(request):
            response.headers["allow"] = methods
        return response

    return tell


def _methods(request: Request) -> str:
    """All that may be done at this address; a route knows its own method alone."""
    found: set[str] = set()
    for path, operations in request.app.openapi()["paths"].items():
        if compile_path(path)[0].match(request.url.path):
            found |= operations.keys()
    return ", ".join(sorted(found)).upper()


def _as_it_is(error: ProblemError, language: Language) -> ProblemError:
    return error


def _invalid(error: RequestValidationError, language: Language) -> ProblemError:
    faults = request_faults(cast("Any", error.errors()), language)
    return ProblemError(ProblemCode.INVALID, faults=faults)


def _by_status(error: HTTPException, language: Language) -> ProblemError:
    code = _BY_STATUS.get(error.status_code)
    if code is None:
        raise error
    return ProblemError(code, headers=error.headers)


def _of_runs(error: Exception, language: Language) -> ProblemError:
    return ProblemError(_OF_RUNS[type(error)])


def _of_inbox(error: InboxError, language: Language) -> ProblemError:
    code = next(_OF_INBOX[kind] for kind in type(error).__mro__ if kind in _OF_INBOX)
    return ProblemError(code, detail=error.message(language))


def _of_keys(error: KeyRefusedError, language: Language) -> ProblemError:
    if error.problem == LAST_ADMIN_KEY:
        return ProblemError(ProblemCode.LAST_ADMIN_KEY)
    part = _OF_KEYS.get(error.problem)
    if part is None:
        return ProblemError(ProblemCode.NOT_FOUND)
    fault = Fault(where=f"body/{part}", hint=message(f"tenancy.{error.problem}", language))
    return ProblemError(ProblemCode.INVALID, faults=(fault,))


def _unavailable(error: Exception, language: Language) -> ProblemError:
    return ProblemError(ProblemCode.UNAVAILABLE, retry_after=_A_MOMENT)


def _of_database(error: DBAPIError | psycopg.Error, language: Language) -> ProblemError:
    if not is_transient(error):
        raise error
    if isinstance(getattr(error, "orig", error), psycopg.errors.DiskFull):
        return ProblemError(ProblemCode.STORAGE_FULL, retry_after=_A_WHILE)
    return _unavailable(error, language)


_TRANSLATIONS: Mapping[type[Exception], Translate] = {
    ProblemError: _as_it_is,
    RequestValidationError: _invalid,
    HTTPException: _by_status,
    IdempotencyConflictError: _of_runs,
    RunNotFoundError: _of_runs,
    InboxError: _of_inbox,
    KeyRefusedError: _of_keys,
    UnreachableError: _unavailable,
    NoConnectionError: _unavailable,
    DBAPIError: _of_database,
    psycopg.Error: _of_database,
}
