"""Texts for runs without an answer: the attempts and the next step."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from veridical.agent.budget import Spent
from veridical.agent.failure import FailureCode
from veridical.contracts.language import Language
from veridical.contracts.result import ToolResult
from veridical.messages import message

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
