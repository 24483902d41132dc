"""Model failures as codes: a provider's own error texts never leave this module.

They may quote the key, the prompt or the rows in it.
"""

from enum import StrEnum
from functools import cache

from veridical.contracts.wire import Wire


class FailureCode(StrEnum):
    """Kinds of failure, each with its own text for users."""

    TIMEOUT = "timeout"
    CONNECTION = "connection"
    AUTHENTICATION = "authentication"
    NOT_FOUND = "not_found"
    QUOTA = "quota"
    BUSY = "busy"
    TOO_LONG = "too_long"
    REJECTED = "rejected"
    SERVER = "server"
    UNREADABLE = "unreadable"
    """no answer: broken, empty, or calls that are no JSON"""
    CUT_OFF = "cut_off"
    FILTERED = "filtered"
    TOOL_BROKE = "tool_broke"
    DATA_UNAVAILABLE = "data_unavailable"
    UNEXPECTED = "unexpected"


class Failure(Wire):
    """A trace's record of a failed request."""

    code: FailureCode
    detail: str = ""
    """The HTTP status, or the kind of a surprise."""

    @property
    def text(self) -> str:
        """The code with its detail."""
        return f"{self.code} ({self.detail})" if self.detail else self.code.value


@cache
def _codes() -> tuple[tuple[type[BaseException], FailureCode], ...]:
    """From special to general: the first match counts."""
    from pydantic_ai import exceptions as raised

    return (
        (raised.ModelTimeoutError, FailureCode.TIMEOUT),
        (raised.ModelRequestTimeout, FailureCode.TIMEOUT),
        (TimeoutError, FailureCode.TIMEOUT),
        (raised.ModelConnectionError, FailureCode.CONNECTION),
        (ConnectionError, FailureCode.CONNECTION),
        (raised.ModelAuthenticationError, FailureCode.AUTHENTICATION),
        (raised.ModelNotFoundError, FailureCode.NOT_FOUND),
        (raised.ModelContextWindowExceededError, FailureCode.TOO_LONG),
        (raised.ModelRequestRejectedError, FailureCode.REJECTED),
        (raised.ModelQuotaExceededError, FailureCode.QUOTA),
        (raised.ModelRateLimitError, FailureCode.BUSY),
        (raised.ModelUnavailableError, FailureCode.BUSY),
        (raised.ContentFilterError, FailureCode.FILTERED),
        (raised.UnexpectedModelBehavior, FailureCode.UNREADABLE),
        (raised.ModelServerError, FailureCode.SERVER),
    )


def failure_of(error: Exception) -> Failure:
    """The failure behind this exception of a model request."""
    from pydantic_ai import exceptions as raised  # slow to import, and few commands need it

    status = error.status_code if isinstance(error, raised.ModelHTTPError) else None
    detail = "" if status is None else str(status)
    for kind, code in _codes():
        if isinstance(error, kind):
            return Failure(code=code, detail=detail)
    if status is not None:
        refused = 400 <= status < 500
        return Failure(code=FailureCode.REJECTED if refused else FailureCode.SERVER, detail=detail)
    if isinstance(error, raised.ModelAPIError):
        return Failure(code=FailureCode.CONNECTION)
    return Failure(code=FailureCode.UNEXPECTED, detail=type(error).__name__)
