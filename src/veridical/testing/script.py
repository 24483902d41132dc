"""A model that plays a script: for tests of everything around the model."""

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, DeltaToolCalls, FunctionModel

ScriptedCall = tuple[str, dict[str, Any] | str]
"""A tool and its arguments; as text they are sent as they are, even when they are no JSON."""
ScriptedReply = str | Sequence[ScriptedCall]
"""A text, or calls."""
Line = ScriptedReply | Exception
"""A reply of the model, or an error of the provider."""


@dataclass
class Script:
    """The replies of a model in order, and the messages it received for each (``heard``)."""

    lines: Sequence[Line]
    heard: list[list[ModelMessage]] = field(default_factory=list[list[ModelMessage]])
    infos: list[AgentInfo] = field(default_factory=list[AgentInfo])

    @property
    def model(self) -> FunctionModel:
        """The model that plays this script, whole or streamed."""
        return FunctionModel(self._speak, stream_function=self._stream, model_name="scripted")

    def _next(self, messages: list[ModelMessage], info: AgentInfo) -> ScriptedReply:
        self.heard.append(list(messages))
        self.infos.append(info)
        line = self.lines[len(self.heard) - 1]
        if isinstance(line, Exception):
            raise line
        return line

    async def _speak(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        line = self._next(messages, info)
        if isinstance(line, str):
            return ModelResponse([TextPart(line)])
        turn = len(self.heard)
        return ModelResponse(
            [
                ToolCallPart(name, arguments, f"call-{turn}-{place}")
                for place, (name, arguments) in enumerate(line)
            ]
        )

    async def _stream(
        self, messages: list[ModelMessage], info: AgentInfo
    ) -> AsyncGenerator[str | DeltaToolCalls]:
        """The line piece by piece, as a provider would send it."""
        response = await self._speak(messages, info)
        for place, part in enumerate(response.parts):
            if isinstance(part, TextPart):
                for piece in _pieces(part.content):
                    yield piece
            elif isinstance(part, ToolCallPart):
                text = part.args if isinstance(part.args, str) else part.args_as_json_str()
                yield {place: DeltaToolCall(part.tool_name, "", tool_call_id=part.tool_call_id)}
                for piece in _pieces(text):
                    yield {place: DeltaToolCall(json_args=piece)}


def _pieces(text: str, size: int = 7) -> list[str]:
    return [text[start : start + size] for start in range(0, len(text), size)]
