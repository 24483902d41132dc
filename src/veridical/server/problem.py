"""Problem details (RFC 9457): the one format of every error response."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from math import ceil
from typing import Any, Self

from starlette.responses import Response

from veridical.contracts.language import Language
from veridical.contracts.wire import Wire
from veridical.messages import message

MEDIA_TYPE = "application/problem+json"


class Actor(StrEnum):
    """Who must act for the same request to succeed."""

    CALLER = "caller"
    """send another request, or the same one later"""
    ADMINISTRATOR = "administrator"
    """of the tenant: grant a role, a scope, a higher limit"""
    OPERATOR = "operator"
    """of the server: something is down or broken"""


class ProblemCode(StrEnum):
    """Every reason why a request fails. Stable: clients match on it."""

    status: int
    actor: Actor

    def __new__(cls, code: str, status: int, actor: Actor = Actor.CALLER) -> Self:
        """The code, which is also the value, and what belongs to it."""
        member = str.__new__(cls, code)
        member._value_ = code
        member.status = status
        member.actor = actor
        return member

    BAD_REQUEST = "BAD_REQUEST", 400
    UNAUTHENTICATED = "UNAUTHENTICATED", 401
    NOT_ALLOWED = "NOT_ALLOWED", 403, Actor.ADMINISTRATOR
    OWN_REQUEST = "OWN_REQUEST", 403, Actor.ADMINISTRATOR
    FORGED_FORM = "FORGED_FORM", 403
    NOT_FOUND = "NOT_FOUND", 404
    FEATURE_NOT_FOUND = "FEATURE_NOT_FOUND", 404, Actor.ADMINISTRATOR
    METHOD_NOT_ALLOWED = "METHOD_NOT_ALLOWED", 405
    TOO_SLOW = "TOO_SLOW", 408
    IDEMPOTENCY_CONFLICT = "IDEMPOTENCY_CONFLICT", 409
    ALREADY_DECIDED = "ALREADY_DECIDED", 409
    EVIDENCE_CHANGED = "EVIDENCE_CHANGED", 409
    EXPIRED = "EXPIRED", 409
    ALREADY_FINISHED = "ALREADY_FINISHED", 409
    LAST_ADMIN_KEY = "LAST_ADMIN_KEY", 409
    UNFITTING_CHOICE = "UNFITTING_CHOICE", 409
    TOO_LARGE = "TOO_LARGE", 413
    UNSUPPORTED_MEDIA_TYPE = "UNSUPPORTED_MEDIA_TYPE", 415
    INVALID = "INVALID", 422
    TOO_MUCH_WORK = "TOO_MUCH_WORK", 422
    RATE_LIMITED = "RATE_LIMITED", 429
    SHARE_TAKEN = "SHARE_TAKEN", 429
    INTERNAL = "INTERNAL", 500, Actor.OPERATOR
    UNAVAILABLE = "UNAVAILABLE", 503, Actor.OPERATOR
    STORAGE_FULL = "STORAGE_FULL", 503, Actor.OPERATOR
    OVERLOADED = "OVERLOADED", 503
    CLOSING = "CLOSING", 503
    TIMED_OUT = "TIMED_OUT", 504


class Fault(Wire):
    """One invalid part of a request."""

    where: str
    """The part and the way to it: ``body/thread/0/question``, ``query/limit``."""
    hint: str


class Problem(Wire):
    """Why a request failed."""

    type: str
    """``urn:veridical:problem:`` with the code."""
    title: str
    status: int
    detail: str
    code: ProblemCode
    who_must_act: Actor
    request_id: str
    """The same as in the header ``X-Request-ID`` and in the server's log."""
    errors: tuple[Fault, ...] = ()


class ProblemError(Exception):
    """A request failed; raised anywhere below a route, rendered by ``problem_response``."""

    def __init__(
        self,
        code: ProblemCode,
        *,
        retry_after: float | None = None,
        faults: tuple[Fault, ...] = (),
        headers: Mapping[str, str] | None = None,
        detail: str = "",
        **values: object,
    ) -> None:
        super().__init__(code)
        self.code = code
        self.detail = detail
        """Replaces the code's own message."""
        self.retry_after = retry_after
        """In seconds: when it may be worth a new attempt."""
        self.faults = faults
        self.headers = headers or {}
        self.values = values
        """Values for the placeholders of the code's message."""


def problem_of(error: ProblemError, language: Language, request_id: str) -> Problem:
    """The problem in words."""
    name = error.code.lower()
    return Problem(
        type=f"urn:veridical:problem:{error.code}",
        title=message(f"problem.{name}_title", language),
        status=error.code.status,
        detail=error.detail or message(f"problem.{name}", language, **error.values),
        code=error.code,
        who_must_act=error.code.actor,
        request_id=request_id,
        errors=error.faults,
    )


def problem_response(error: ProblemError, language: Language, request_id: str) -> Response:
    """The problem as a response."""
    problem = problem_of(error, language, request_id)
    headers = {"content-language": language.value, **error.headers}
    if error.retry_after is not None:
        headers["retry-after"] = str(max(1, ceil(error.retry_after)))
    if error.code is ProblemCode.UNAUTHENTICATED:
        headers.setdefault("www-authenticate", "Bearer")
    return Response(
        problem.model_dump_json(by_alias=True),
        problem.status,
        headers=headers,
        media_type=MEDIA_TYPE,
    )


_MOST = 20
_LONGEST_PART = 60
_HINTS: Mapping[str, str] = {
    "missing": "problem.fault_missing",
    "extra_forbidden": "problem.fault_unknown",
    "string_too_long": "problem.fault_too_long",
    "too_long": "problem.fault_too_long",
    "string_too_short": "problem.fault_too_short",
    "too_short": "problem.fault_too_short",
    "greater_than": "problem.fault_range",
    "greater_than_equal": "problem.fault_range",
    "less_than": "problem.fault_range",
    "less_than_equal": "problem.fault_range",
    "string_pattern_mismatch": "problem.fault_pattern",
    "enum": "problem.fault_choice",
    "literal_error": "problem.fault_choice",
    "union_tag_invalid": "problem.fault_choice",
    "union_tag_not_found": "problem.fault_missing",
    "json_invalid": "problem.fault_json",
}
_IN_WORDS_OF_THE_CONTRACT = frozenset(
    {
        "coverage_dimension",
        "coverage_score",
        "custom_facet_score",
        "detected_date",
        "min_diversity_buckets",
        "question",
        "results",
        "scoring_context",
    }
)
"""Errors whose texts clients match on; none of them repeats a value."""
_OF_TYPES = ("_type", "_parsing", "_from_float", "string_unicode", "is_instance_of")


def request_faults(errors: Iterable[Mapping[str, Any]], language: Language) -> tuple[Fault, ...]:
    """The first of these errors of pydantic; the values that were sent are not repeated."""
    return tuple(
        Fault(where=_where(error["loc"]), hint=_hint(error, language))
        for error, _ in zip(errors, range(_MOST), strict=False)
    )


def _hint(error: Mapping[str, Any], language: Language) -> str:
    if error["type"] in _IN_WORDS_OF_THE_CONTRACT:
        return str(error["msg"])
    return message(_key(error["type"]), language)


def _key(kind: str) -> str:
    if kind in _HINTS:
        return _HINTS[kind]
    if any(part in kind for part in _OF_TYPES):
        return "problem.fault_type"
    return "problem.fault_other"


def _where(place: Iterable[object]) -> str:
    """A name that was sent may hold anything, also what can't be written as UTF-8."""
    text = "/".join(str(part)[:_LONGEST_PART] for part in place)
    return text.encode("utf-8", "replace").decode()
