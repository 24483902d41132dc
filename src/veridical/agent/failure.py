"""Model failures as codes: a provider's own error texts never leave this module.

They may quote the key, the prompt or the rows in it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any

from veridical.agent.budget import Spent
from veridical.contracts.language import Language
from veridical.contracts.result import ToolResult
from veridical.contracts.wire import Wire
from veridical.messages import message


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


_MOST_TRIED = 5


@dataclass(frozen=True, slots=True)
class Attempt:
    """One tool call and its result."""

    tool: str
    arguments: dict[str, Any]
    result: ToolResult

    @property
    def code(self) -> str | None:
        """The code of its refusal or failure; None if it succeeded."""
        details = self.result.error_details or {}
        return None if self.result.success else str(details.get("code", ""))


def out_of_budget(spent: Spent, attempts: Iterable[Attempt], language: Language) -> str:
    """The text for a limit that was reached first."""
    limit = message(f"agent.limit_{spent.limit}", language, value=f"{spent.value:g}")
    return _ending(message("agent.unknown_spent", language, limit=limit), attempts, language)


def refused_too_often(count: int, attempts: Iterable[Attempt], language: Language) -> str:
    """The text for calls that were refused repeatedly for the same reason."""
    return _ending(message("agent.unknown_refused", language, count=count), attempts, language)


def failed(code: FailureCode, language: Language) -> str:
    """The text for a failure and its remedy."""
    return message(f"agent.failed_{code}", language)


def _ending(opening: str, attempts: Iterable[Attempt], language: Language) -> str:
    tried = list(
        dict.fromkeys(_attempt_line(attempt) for attempt in attempts if attempt.code is not None)
    )
    lines = [message("agent.tried", language), *tried[-_MOST_TRIED:]] if tried else []
    return "\n".join((opening, *lines, message("agent.ask_narrower", language)))


def _attempt_line(attempt: Attempt) -> str:
    details = attempt.result.error_details or {}
    named = attempt.arguments.get("tableName") or attempt.arguments.get("fileName")
    subject = f"{attempt.tool} ({named})" if named else attempt.tool
    return f"- {subject}: {details.get('hint') or details.get('code', '')}"
