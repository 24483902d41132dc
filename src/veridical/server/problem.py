"""Problem details (RFC 9457): the one format of every error response."""

from collections.abc import Mapping
from enum import StrEnum
from math import ceil
from typing import NamedTuple

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

    BAD_REQUEST = "BAD_REQUEST"
    UNAUTHENTICATED = "UNAUTHENTICATED"
    NOT_ALLOWED = "NOT_ALLOWED"
    OWN_REQUEST = "OWN_REQUEST"
    FORGED_FORM = "FORGED_FORM"
    NOT_FOUND = "NOT_FOUND"
    FEATURE_NOT_FOUND = "FEATURE_NOT_FOUND"
    METHOD_NOT_ALLOWED = "METHOD_NOT_ALLOWED"
    TOO_SLOW = "TOO_SLOW"
    IDEMPOTENCY_CONFLICT = "IDEMPOTENCY_CONFLICT"
    ALREADY_DECIDED = "ALREADY_DECIDED"
    EVIDENCE_CHANGED = "EVIDENCE_CHANGED"
    EXPIRED = "EXPIRED"
    ALREADY_FINISHED = "ALREADY_FINISHED"
    LAST_ADMIN_KEY = "LAST_ADMIN_KEY"
    UNFITTING_CHOICE = "UNFITTING_CHOICE"
    TOO_LARGE = "TOO_LARGE"
    UNSUPPORTED_MEDIA_TYPE = "UNSUPPORTED_MEDIA_TYPE"
    INVALID = "INVALID"
    TOO_MUCH_WORK = "TOO_MUCH_WORK"
    RATE_LIMITED = "RATE_LIMITED"
    SHARE_TAKEN = "SHARE_TAKEN"
    INTERNAL = "INTERNAL"
    UNAVAILABLE = "UNAVAILABLE"
    STORAGE_FULL = "STORAGE_FULL"
    OVERLOADED = "OVERLOADED"
    CLOSING = "CLOSING"
    TIMED_OUT = "TIMED_OUT"


class Kind(NamedTuple):
    """Status and actor of a problem code."""

    status: int
    actor: Actor = Actor.CALLER


KINDS: Mapping[ProblemCode, Kind] = {
    ProblemCode.BAD_REQUEST: Kind(400),
    ProblemCode.UNAUTHENTICATED: Kind(401),
    ProblemCode.NOT_ALLOWED: Kind(403, Actor.ADMINISTRATOR),
    ProblemCode.OWN_REQUEST: Kind(403, Actor.ADMINISTRATOR),
    ProblemCode.FORGED_FORM: Kind(403),
    ProblemCode.NOT_FOUND: Kind(404),
    ProblemCode.FEATURE_NOT_FOUND: Kind(404, Actor.ADMINISTRATOR),
    ProblemCode.METHOD_NOT_ALLOWED: Kind(405),
    ProblemCode.TOO_SLOW: Kind(408),
    ProblemCode.IDEMPOTENCY_CONFLICT: Kind(409),
    ProblemCode.ALREADY_DECIDED: Kind(409),
    ProblemCode.EVIDENCE_CHANGED: Kind(409),
    ProblemCode.EXPIRED: Kind(409),
    ProblemCode.ALREADY_FINISHED: Kind(409),
    ProblemCode.LAST_ADMIN_KEY: Kind(409),
    ProblemCode.UNFITTING_CHOICE: Kind(409),
    ProblemCode.TOO_LARGE: Kind(413),
    ProblemCode.UNSUPPORTED_MEDIA_TYPE: Kind(415),
    ProblemCode.INVALID: Kind(422),
    ProblemCode.TOO_MUCH_WORK: Kind(422),
    ProblemCode.RATE_LIMITED: Kind(429),
    ProblemCode.SHARE_TAKEN: Kind(429),
    ProblemCode.INTERNAL: Kind(500, Actor.OPERATOR),
    ProblemCode.UNAVAILABLE: Kind(503, Actor.OPERATOR),
    ProblemCode.STORAGE_FULL: Kind(503, Actor.OPERATOR),
    ProblemCode.OVERLOADED: Kind(503),
    ProblemCode.CLOSING: Kind(503),
    ProblemCode.TIMED_OUT: Kind(504),
}


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
        """What to say instead of the code's own message."""
        self.retry_after = retry_after
        """In seconds: when it may be worth a new attempt."""
        self.faults = faults
        self.headers = headers or {}
        self.values = values
        """What the message of this code leaves open."""


def problem_of(error: ProblemError, language: Language, request_id: str) -> Problem:
    """The problem in words."""
    kind, name = KINDS[error.code], error.code.lower()
    return Problem(
        type=f"urn:veridical:problem:{error.code}",
        title=message(f"problem.{name}_title", language),
        status=kind.status,
        detail=error.detail or message(f"problem.{name}", language, **error.values),
        code=error.code,
        who_must_act=kind.actor,
        request_id=request_id,
        errors=error.faults,
    )


def problem_response(error: ProblemError, language: Language, request_id: str) -> Response:
    """The problem as a response."""
    told = problem_of(error, language, request_id)
    headers = {"content-language": language.value, **error.headers}
    if error.retry_after is not None:
        headers["retry-after"] = str(max(1, ceil(error.retry_after)))
    if error.code is ProblemCode.UNAUTHENTICATED:
        headers.setdefault("www-authenticate", "Bearer")
    return Response(
        told.model_dump_json(by_alias=True),
        told.status,
        headers=headers,
        media_type=MEDIA_TYPE,
    )
