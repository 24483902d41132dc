"""Reads results and earlier answers from a model's conversation."""

import json
from collections.abc import Sequence
from typing import Any

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolReturnPart,
)


def results_in(messages: Sequence[ModelMessage]) -> list[dict[str, Any]]:
    """The tools' results, as a model reads them."""
    return [
        json.loads(str(part.content))
        for message in messages
        if isinstance(message, ModelRequest)
        for part in message.parts
        if isinstance(part, ToolReturnPart)
    ]


def answers_in(messages: Sequence[ModelMessage]) -> int:
    """How often somebody has answered in words; beyond the thread, the gate has spoken."""
    return sum(
        isinstance(message, ModelResponse)
        and any(isinstance(part, TextPart) for part in message.parts)
        for message in messages
    )
