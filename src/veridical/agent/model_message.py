"""Reads a model's message: text, calls, or the final answer as a call."""

import json
from datetime import datetime
from typing import Any

from pydantic_ai.messages import (
    ModelMessagesTypeAdapter,
    ModelResponse,
    TextPart,
    ToolCallPart,
)

from veridical.agent.ending_tools import ANSWER_IN_FACTS, ANSWER_TEXT, FINAL_ANSWER


def read_message(recorded: dict[str, Any] | None, at: datetime) -> ModelResponse:
    """The message as a step recorded it; a missing one is empty."""
    if recorded is None:
        return ModelResponse([], timestamp=at)
    read = ModelMessagesTypeAdapter.validate_python([recorded])[0]
    if not isinstance(read, ModelResponse):
        raise TypeError(f"no message of a model: {read.kind}")
    return read


def calls_of(message: ModelResponse) -> list[ToolCallPart]:
    """The calls, in their order."""
    return [part for part in message.parts if isinstance(part, ToolCallPart)]


def text_of(message: ModelResponse) -> str:
    """The answer's text, plain or in the final call."""
    plain = "".join(part.content for part in message.parts if isinstance(part, TextPart))
    finals = (call for call in calls_of(message) if call.tool_name == FINAL_ANSWER)
    return plain.strip() or next((final_text(call) for call in finals), "")


def final_text(call: ToolCallPart) -> str:
    """The text of a final answer, as JSON if it has parts or facts; empty if there is none."""
    arguments = read_arguments(call) or {}
    text = arguments.get(ANSWER_TEXT)
    if (isinstance(text, list) and text) or arguments.get(ANSWER_IN_FACTS):
        return json.dumps(arguments, ensure_ascii=False)
    return text.strip() if isinstance(text, str) else ""


def read_arguments(call: ToolCallPart) -> dict[str, Any] | None:
    """A call's arguments; None if they are no JSON object."""
    try:
        return call.args_as_dict(raise_if_invalid=True)
    except (ValueError, AssertionError):
        return None
