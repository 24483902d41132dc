"""Refusals by the loop itself, each with an instruction for the model."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from veridical.contracts.language import Language
from veridical.contracts.result import ToolResult
from veridical.messages import message

REPEATED_CALL = "REPEATED_CALL"
MALFORMED_ARGUMENTS = "MALFORMED_ARGUMENTS"
HOST_MUST_ACT = "host"
"""The actor in the details of a result that no action of a model can change."""
ANSWER_TOO_EARLY = "ANSWER_TOO_EARLY"
NO_ANSWER_TEXT = "NO_ANSWER_TEXT"
PATIENCE = 2
"""Refused repeats of one call after which ``errorDetails.stop`` is true."""


def call_identity(name: str, arguments: Mapping[str, Any] | str) -> str:
    """The same for the same call, in any order of its arguments."""
    return json.dumps([name, arguments], sort_keys=True, default=str)


def refused_repeat(
    identity: str,
    earlier: Sequence[str],
    language: Language,
    patience: int = PATIENCE,
    instead: str = "",
) -> ToolResult | None:
    """The refusal of a repeated call, with an instruction; None if the call is new."""
    repeats = earlier.count(identity)
    if not repeats:
        return None
    stop = repeats >= patience
    hint = instead or message("tools.stop" if stop else "tools.repeated", language)
    return refuse(REPEATED_CALL, hint, stop=stop)


def refuse(code: str, hint: str, **more: Any) -> ToolResult:
    """The result of a call that was not made, in the shape of any refusal."""
    details = {"code": code, "field": None, "suggestion": None, "hint": hint, **more}
    return ToolResult(success=False, error=f"{code}: {hint}", error_details=details)
