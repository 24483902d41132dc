"""One request to a model: where the parts of a requirement are, as structured output."""

import asyncio
from datetime import UTC, datetime

from pydantic import ValidationError
from pydantic_ai.messages import InstructionPart, ModelRequest, UserPromptPart
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from veridical.agent.conversation import calls_of, read_arguments, read_message, text_of
from veridical.agent.failure import FailureCode
from veridical.agent.model_call import ModelCall, Reply, call_model
from veridical.messages import message
from veridical.requirements.form import Form
from veridical.requirements.rewrite.proposal import Proposal
from veridical.requirements.tokens import read

TOOL = "requirementParts"
_MOST_TOKENS = 400
_EPOCH = datetime.fromtimestamp(0, UTC)


async def proposed(text: str, model: Model, seconds: float) -> Proposal | FailureCode | None:
    """The model's proposal for a requirement, or why there is none; none for a story, whose parts
    are marked already. Never raises for what a model does."""
    tokens = read(text)
    if tokens.form is Form.STORY:
        return None
    prompt = message("team.parts_request", tokens.language, requirement=text)
    messages = [ModelRequest([UserPromptPart(prompt, timestamp=_EPOCH)])]
    try:
        async with asyncio.timeout(seconds):
            given = await call_model(_call(model, tokens.language, seconds), messages, seconds)
    except TimeoutError:
        return FailureCode.TIMEOUT
    return _read(Reply.model_validate(given))


def _call(model: Model, language: str, seconds: float) -> ModelCall:
    tool = ToolDefinition(
        name=TOOL,
        description=message("team.parts_tool", language),
        parameters_json_schema=Proposal.model_json_schema(by_alias=False),
        strict=False,
    )
    parameters = ModelRequestParameters(
        output_tools=[tool],
        output_mode="tool",
        allow_text_output=False,
        instruction_parts=[InstructionPart(message("team.parts_instructions", language))],
    )
    return ModelCall(model, parameters, seconds, settings=ModelSettings(max_tokens=_MOST_TOKENS))


def _read(reply: Reply) -> Proposal | FailureCode:
    if reply.failure is not None:
        return reply.failure.code
    answer = read_message(reply.message, _EPOCH)
    for call in calls_of(answer):
        given = read_arguments(call) if call.tool_name == TOOL else None
        if given:
            known = {name: given[name] for name in Proposal.model_fields if given.get(name)}
            try:
                return Proposal.model_validate(known)
            except ValidationError:
                return FailureCode.UNREADABLE
    try:  # a model that can't call tools may write the same JSON as text
        return Proposal.model_validate_json(text_of(answer))
    except ValidationError:
        return FailureCode.UNREADABLE
