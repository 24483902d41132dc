"""The conversation with the model: its opening, its end, and its continuation after an answer that
was not accepted.

A model that ended by calling a tool gets the reason as that call's result. A text would be answered
with text, by a model that must always call something.
"""

import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from pydantic_ai.messages import (
    ModelMessage,
    ModelMessagesTypeAdapter,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

from veridical.agent.prompt import moment
from veridical.agent.request import LoopRequest
from veridical.agent.selection import ANSWER_IN_FACTS, ANSWER_TEXT, ENDINGS, FINAL_ANSWER
from veridical.messages import message

_REMEMBERED_TURNS = 10


def opening_messages(request: LoopRequest) -> list[ModelMessage]:
    """The conversation up to the question, or up to the reason why its first answer was refused."""
    at = moment(request.at)
    if request.resumes is not None:
        before = request.resumes.messages
        return [*before, _not_accepted(before[-1] if before else None, request)]
    messages: list[ModelMessage] = []
    for turn in request.thread[-_REMEMBERED_TURNS:]:
        messages.append(ModelRequest([UserPromptPart(turn.question, timestamp=at)]))
        messages.append(ModelResponse([TextPart(turn.answer)], timestamp=at))
    today = message("agent.today", request.language, date=request.today) if request.today else ""
    prompt = "\n".join(part for part in (today, request.question, request.hint) if part)
    messages.append(ModelRequest([UserPromptPart(prompt, timestamp=at)]))
    return messages


def ended(messages: Sequence[ModelMessage], text: str, at: float) -> tuple[ModelMessage, ...]:
    """The conversation with its last word: the call that ended it, else this text."""
    if messages and _endings(messages[-1]):
        return tuple(messages)
    return (*messages, ModelResponse([TextPart(text)], timestamp=moment(at)))


def calls_made(messages: Sequence[ModelMessage]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each call to a tool that is no ending: the tool and its arguments."""
    for each in messages:
        for call in calls_of(each) if isinstance(each, ModelResponse) else ():
            arguments = read_arguments(call)
            if call.tool_name not in ENDINGS and arguments is not None:
                yield call.tool_name, arguments


def _not_accepted(last: ModelMessage | None, request: LoopRequest) -> ModelRequest:
    at = moment(request.at)
    calls = _endings(last)
    if not calls:
        return ModelRequest([UserPromptPart(request.feedback, timestamp=at)])
    return ModelRequest(
        [ToolReturnPart(name, request.feedback, identity, timestamp=at) for name, identity in calls]
    )


def _endings(last: ModelMessage | None) -> list[tuple[str, str]]:
    """The calls of a message by which the model ended: name and id of each."""
    calls = calls_of(last) if isinstance(last, ModelResponse) else []
    named = [(call.tool_name, call.tool_call_id) for call in calls]
    return named if all(name in ENDINGS for name, _ in named) else []


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
