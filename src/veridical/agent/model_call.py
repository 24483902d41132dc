"""One request to a model, with its reply as JSON that a step records and a replay reads."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from time import perf_counter, time
from typing import Any

from pydantic_ai.direct import model_request, model_request_stream
from pydantic_ai.messages import (
    ModelMessage,
    ModelMessagesTypeAdapter,
    ModelResponse,
    ModelResponseStreamEvent,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ToolCallPart,
    ToolCallPartDelta,
)
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.settings import ModelSettings
from pydantic_core import from_json

from veridical.agent.failure import Failure, FailureCode, failure_of
from veridical.agent.selection import ANSWER_TEXT, FINAL_ANSWER
from veridical.contracts.step import Json
from veridical.contracts.wire import Wire


class Deltas:
    """Passes on each new piece of text, once."""

    def __init__(self, hear: Callable[[str], None] | None) -> None:
        self.text = ""
        self._hear = hear
        self._finals: dict[int, str] = {}
        """The arguments of final answers so far, by the part's index."""

    def take(self, event: ModelResponseStreamEvent) -> None:
        """Reads one event of the stream."""
        match event:
            case PartStartEvent(part=TextPart(content=text)):
                self._say(text)
            case PartDeltaEvent(delta=TextPartDelta(content_delta=text)):
                self._say(text)
            case PartStartEvent(part=ToolCallPart(tool_name=name, args=args)) if (
                name == FINAL_ANSWER
            ):
                self._finals[event.index] = ""
                self._argue(event.index, args if isinstance(args, str) else "")
            case PartDeltaEvent(delta=ToolCallPartDelta(args_delta=str(more))) if (
                event.index in self._finals
            ):
                self._argue(event.index, more)
            case _:
                pass

    def _argue(self, index: int, more: str) -> None:
        before = _text_in(self._finals[index])
        self._finals[index] += more
        self._say(_text_in(self._finals[index])[len(before) :])

    def _say(self, text: str) -> None:
        if text and self._hear is not None:
            self._hear(text)
        self.text += text


_NO_ANSWERS = {
    "length": FailureCode.CUT_OFF,
    "content_filter": FailureCode.FILTERED,
    "error": FailureCode.SERVER,
}


class Reply(Wire):
    """The model's reply or failure, with its time and duration."""

    at: float
    elapsed_ms: float
    message: dict[str, Any] | None = None
    failure: Failure | None = None
    heard: str = ""
    """The text that had arrived before a failure."""


@dataclass(frozen=True, slots=True)
class ModelCall:
    """The model and parameters of a request."""

    model: Model
    parameters: ModelRequestParameters
    timeout_seconds: float
    hear: Callable[[str], None] | None = None
    """Gets each piece of the answer's text as it arrives; without it the answer comes whole."""
    settings: ModelSettings = field(default_factory=ModelSettings)
    """The settings of this request that differ from the model's own."""


async def call_model(
    call: ModelCall, messages: Sequence[ModelMessage], seconds_left: float
) -> Json:
    """The model's reply to these messages; a provider's failure is part of it."""
    deltas = Deltas(call.hear)
    at, started = time(), perf_counter()
    message: ModelResponse | None = None
    failure: Failure | None = None
    try:
        if call.hear is None:
            message = await _whole(call, messages, seconds_left)
        else:
            message = await _streamed(call, messages, seconds_left, deltas)
        code = _NO_ANSWERS.get(message.finish_reason or "")
        failure = Failure(code=code) if code else None
    except Exception as error:
        failure = failure_of(error)
    dumped = ModelMessagesTypeAdapter.dump_python([message], mode="json")[0] if message else None
    return {
        "at": at,
        "elapsedMs": round((perf_counter() - started) * 1000, 3),
        "message": dumped,
        "failure": failure.model_dump(mode="json", by_alias=True) if failure else None,
        "heard": deltas.text if failure else "",
    }


async def _whole(
    call: ModelCall, messages: Sequence[ModelMessage], seconds_left: float
) -> ModelResponse:
    return await model_request(
        call.model,
        messages,
        model_settings=_within(call.settings, min(call.timeout_seconds, seconds_left)),
        model_request_parameters=call.parameters,
    )


async def _streamed(
    call: ModelCall, messages: Sequence[ModelMessage], seconds_left: float, deltas: Deltas
) -> ModelResponse:
    """The timeout is for the first sign of life, for which attempts are repeated; after that the
    client limits each silence by it, and the run's wall time limits the whole."""
    async with AsyncExitStack() as stack:
        async with asyncio.timeout(call.timeout_seconds):
            stream = await stack.enter_async_context(
                model_request_stream(
                    call.model,
                    messages,
                    model_settings=_within(call.settings, seconds_left),
                    model_request_parameters=call.parameters,
                )
            )
        async for event in stream:
            deltas.take(event)
        return stream.get()


def _within(settings: ModelSettings, seconds: float) -> ModelSettings:
    return {**settings, "request_timeout": seconds}


def _text_in(arguments: str) -> str:
    """The answer's text in arguments that may still break off anywhere."""
    try:
        read = from_json(arguments, allow_partial="trailing-strings")
    except ValueError:
        return ""
    text = read.get(ANSWER_TEXT) if isinstance(read, dict) else None
    return text if isinstance(text, str) else ""
