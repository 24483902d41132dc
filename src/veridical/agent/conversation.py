"""The conversation with the model: its opening, its end, and its continuation after an answer that
was not accepted.

A model that ended by calling a tool gets the reason as that call's result. A text would be answered
with text, by a model that must always call something.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolReturnPart,
    UserPromptPart,
)

from veridical.agent.ending_tools import ENDINGS
from veridical.agent.model_message import calls_of, read_arguments
from veridical.agent.prompt import moment
from veridical.agent.request import LoopRequest
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
