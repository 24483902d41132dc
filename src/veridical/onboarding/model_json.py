"""One small question to a model, answered as JSON of a schema."""

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar

from pydantic import ValidationError
from pydantic_ai.messages import InstructionPart, ModelRequest, UserPromptPart
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from veridical.agent.conversation import calls_of, read_arguments, read_message, text_of
from veridical.agent.model_call import ModelCall, Reply, call_model
from veridical.contracts.wire import Wire

_EPOCH = datetime.fromtimestamp(0, UTC)
Form = TypeVar("Form", bound=Wire)


@dataclass(frozen=True)
class Ask:
    """What a model is to fill in."""

    tool: str
    description: str
    instructions: str
    schema: dict[str, Any]
    most_tokens: int


async def filled_form(
    ask: Ask, form: type[Form], request: str, model: Model, seconds: float
) -> Form | None:
    """The form as the model fills it in; None if it fails or answers something else."""
    messages = [ModelRequest([UserPromptPart(request, timestamp=_EPOCH)])]
    try:
        async with asyncio.timeout(seconds):
            given = await call_model(_call(ask, model, seconds), messages, seconds)
    except TimeoutError:
        return None
    return _read(Reply.model_validate(given), ask.tool, form)


def _call(ask: Ask, model: Model, seconds: float) -> ModelCall:
    tool = ToolDefinition(
        name=ask.tool,
        description=ask.description,
        parameters_json_schema=ask.schema,
        strict=False,
    )
    parameters = ModelRequestParameters(
        output_tools=[tool],
        output_mode="tool",
        allow_text_output=False,
        instruction_parts=[InstructionPart(ask.instructions)],
    )
    return ModelCall(model, parameters, seconds, settings=ModelSettings(max_tokens=ask.most_tokens))


def _read(reply: Reply, tool: str, form: type[Form]) -> Form | None:
    if reply.failure is not None:
        return None
    answer = read_message(reply.message, _EPOCH)
    try:
        for call in calls_of(answer):
            given = read_arguments(call) if call.tool_name == tool else None
            if given:
                return form.model_validate(given)
        return form.model_validate_json(text_of(answer))  # a model that can't call tools
    except ValidationError:
        return None
