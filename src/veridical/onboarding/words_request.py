"""Requests to a model for the meaning of a table and its columns, by their names alone.

No row leaves the database. Each answer is kept at once, so that no answer is paid for twice.
"""

import asyncio
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from pydantic import ValidationError
from pydantic_ai.messages import InstructionPart, ModelRequest, UserPromptPart
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from veridical.agent.model_call import ModelCall, Reply, call_model
from veridical.agent.model_message import calls_of, read_arguments, read_message, text_of
from veridical.contracts.language import Language
from veridical.messages import message
from veridical.onboarding.record import append_words, read_words
from veridical.onboarding.table_words import TableWords
from veridical.ontology.model import Entity, OntologyDescriptor

TOOL = "tableWords"
MOST_TABLES = 60
_MOST_COLUMNS = 60
_MOST_TOKENS = 4000
_EPOCH = datetime.fromtimestamp(0, UTC)


async def ask_for_words(
    ontology: OntologyDescriptor,
    project: Path,
    model: Model,
    seconds: float,
    progress: Callable[[int, int], None],
) -> None:
    """Keeps a model's words for the first tables of the ontology without any, as long as there is
    time. Never raises for errors of a model."""
    known = read_words(project)
    wanted = [each for each in ontology.entities if each.name not in known][:MOST_TABLES]
    until = time.monotonic() + seconds
    for number, entity in enumerate(wanted, 1):
        left = until - time.monotonic()
        if left <= 0:
            return
        words = await table_words(entity, model, left)
        if words is not None:
            append_words(project, words)
        progress(number, len(wanted))


async def table_words(entity: Entity, model: Model, seconds: float) -> TableWords | None:
    """The model's words about one table; None if it fails or answers something else."""
    columns = ", ".join(f"{each.name} ({each.type})" for each in entity.fields[:_MOST_COLUMNS])
    named = {"table": entity.name, "columns": columns}
    request = message("onboarding.words_request", Language.EN, **named)
    messages = [ModelRequest([UserPromptPart(request, timestamp=_EPOCH)])]
    try:
        async with asyncio.timeout(seconds):
            given = await call_model(_call(model, seconds), messages, seconds)
    except TimeoutError:
        return None
    words = _read(Reply.model_validate(given))
    return words.model_copy(update={"table": entity.name}) if words else None


def _call(model: Model, seconds: float) -> ModelCall:
    tool = ToolDefinition(
        name=TOOL,
        description=message("onboarding.words_tool", Language.EN),
        parameters_json_schema=TableWords.model_json_schema(),
        strict=False,
    )
    parameters = ModelRequestParameters(
        output_tools=[tool],
        output_mode="tool",
        allow_text_output=False,
        instruction_parts=[InstructionPart(message("onboarding.words_instructions", Language.EN))],
    )
    return ModelCall(model, parameters, seconds, settings=ModelSettings(max_tokens=_MOST_TOKENS))


def _read(reply: Reply) -> TableWords | None:
    if reply.failure is not None:
        return None
    answer = read_message(reply.message, _EPOCH)
    try:
        for call in calls_of(answer):
            given = read_arguments(call) if call.tool_name == TOOL else None
            if given:
                return TableWords.model_validate(given)
        return TableWords.model_validate_json(text_of(answer))  # a model that can't call tools
    except ValidationError:
        return None
