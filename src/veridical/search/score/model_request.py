"""One request to the model that scores: a batch of candidates in, a score for each out."""

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from pydantic import ValidationError
from pydantic_ai.messages import InstructionPart, ModelRequest, UserPromptPart
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from veridical.agent.conversation import calls_of, read_arguments, read_message, text_of
from veridical.agent.failure import Failure, FailureCode
from veridical.agent.model_call import ModelCall, Reply, call_model
from veridical.contracts.language import Language
from veridical.contracts.search_candidate import (
    CUSTOM_PREFIX,
    CoverageDimension,
    SearchCandidate,
    is_share,
)
from veridical.contracts.search_context import ScoringContext
from veridical.contracts.search_result import LLMScoredItem
from veridical.contracts.step import Json
from veridical.contracts.wire import Wire
from veridical.messages import message
from veridical.search.score.settings import ScoreSettings

TOOL = "scoreResults"
_LONGEST_SNIPPET = 1_500
"""Characters of a candidate that the model is shown."""
_MOST_TAGS, _LONGEST_TAG = 9, 64
_DIMENSIONS = frozenset(CoverageDimension)
_SPELLINGS = {field.alias: name for name, field in LLMScoredItem.model_fields.items()}
_EPOCH = datetime.fromtimestamp(0, UTC)


class ScoredItems(Wire):
    """What the model hands back."""

    items: tuple[LLMScoredItem, ...]


@dataclass(frozen=True, slots=True)
class ScoreTask:
    """The inputs that all batches of one request share."""

    context: ScoringContext
    language: Language
    settings: ScoreSettings
    max_tokens: int
    known: tuple[str, ...] = ()
    """Key points of what the store says already."""


async def ask_for_scores(
    model: Model, task: ScoreTask, batch: Sequence[SearchCandidate], seconds: float
) -> Json:
    """The model's reply as a step records it. A client that keeps no time is stopped here."""
    try:
        async with asyncio.timeout(seconds):
            return await call_model(_call(model, task, seconds), _messages(task, batch), seconds)
    except TimeoutError:
        failure = Failure(code=FailureCode.TIMEOUT)
        late = Reply(at=0.0, elapsed_ms=seconds * 1000, failure=failure)
        return late.model_dump(mode="json", by_alias=True)


def read_scores(
    reply: Reply, batch: Sequence[SearchCandidate], longest_reason: int
) -> tuple[dict[str, LLMScoredItem], FailureCode | None]:
    """The scores of this batch that can be used, and why others are missing.

    The model scores what it was shown: other ids, second scores and broken items don't count.
    """
    if reply.failure is not None:
        return {}, reply.failure.code
    shown = {each.id for each in batch}
    found: dict[str, LLMScoredItem] = {}
    for given in _given_items(reply):
        item = _read_item(given, longest_reason)
        if item is not None and item.candidate_id in shown:
            found.setdefault(item.candidate_id, item)
    return found, None if len(found) == len(shown) else FailureCode.UNREADABLE


def _call(model: Model, task: ScoreTask, seconds: float) -> ModelCall:
    settings = ModelSettings(max_tokens=task.max_tokens)
    if task.settings.temperature is not None:
        settings["temperature"] = task.settings.temperature
    instructions = message(
        "search.score_instructions",
        task.language,
        longest=task.settings.max_reason_length,
        dimensions=", ".join(CoverageDimension),
    )
    tool = ToolDefinition(
        name=TOOL,
        description=message("search.score_tool", task.language),
        parameters_json_schema=ScoredItems.model_json_schema(by_alias=False),
        strict=False,
    )
    parameters = ModelRequestParameters(
        output_tools=[tool],
        output_mode="tool",
        allow_text_output=False,
        instruction_parts=[InstructionPart(instructions)],
    )
    return ModelCall(model, parameters, seconds, settings=settings)


def _messages(task: ScoreTask, batch: Sequence[SearchCandidate]) -> list[ModelRequest]:
    context = task.context.model_dump(
        mode="json",
        include={"purpose", "jurisdiction", "output_target", "version_target"},
        exclude_defaults=True,
    )
    shown = [_shown(each) for each in batch]
    text = message(
        "search.score_request",
        task.language,
        question=task.context.question,
        context=_json(context),
        known=_json(task.known),
        candidates=_json(shown),
    )
    return [ModelRequest([UserPromptPart(text, timestamp=_EPOCH)])]


def _shown(candidate: SearchCandidate) -> dict[str, Any]:
    date = candidate.detected_date
    return {
        "candidate_id": candidate.id,
        "title": candidate.title[:_LONGEST_SNIPPET],
        "text": candidate.snippet[:_LONGEST_SNIPPET],
        "url": candidate.url[:_LONGEST_SNIPPET],
        "date": date.date().isoformat() if date else None,
    }


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _given_items(reply: Reply) -> Sequence[Any]:
    """The items of the call; a model that can't call tools may write the same JSON as text."""
    read = read_message(reply.message, _EPOCH)
    arguments = [read_arguments(call) for call in calls_of(read) if call.tool_name == TOOL]
    given: Any = next((each for each in arguments if each), None)
    if given is None:
        try:
            given = json.loads(text_of(read))
        except ValueError:
            return ()
    items = given.get("items") if isinstance(given, dict) else given
    return items if isinstance(items, list) else ()


def _read_item(given: Any, longest_reason: int) -> LLMScoredItem | None:
    if not isinstance(given, Mapping):
        return None
    fields = {_SPELLINGS.get(str(name), str(name)): value for name, value in given.items()}
    read = {
        "candidate_id": fields.get("candidate_id"),
        "score": fields.get("score"),
        "reason": _short(str(fields.get("reason") or ""), longest_reason),
        "gap_tags": _tags(fields.get("gap_tags")),
        "risk_flags": _tags(fields.get("risk_flags")),
        "facet_coverage": _shares(fields.get("facet_coverage"), _is_dimension),
        "custom_facets": _shares(fields.get("custom_facets"), _is_custom),
    }
    try:
        return LLMScoredItem.model_validate(read)
    except ValidationError:
        return None


def _short(text: str, longest: int) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= longest else plain[: longest - 1] + "…"


def _tags(given: Any) -> tuple[str, ...]:
    tags = given if isinstance(given, list) else ()
    stripped = (each.strip()[:_LONGEST_TAG] for each in tags if isinstance(each, str))
    return tuple(dict.fromkeys(each for each in stripped if each))[:_MOST_TAGS]


def _shares(given: Any, may_stand: Callable[[str], bool]) -> dict[str, float]:
    """The values from 0 to 1 under names that may stand there; the rest is not worth a failure."""
    if not isinstance(given, Mapping):
        return {}
    return {
        str(name): value
        for name, value in given.items()
        if is_share(value) and may_stand(str(name))
    }


def _is_dimension(name: str) -> bool:
    return name in _DIMENSIONS


def _is_custom(name: str) -> bool:
    return name.startswith(CUSTOM_PREFIX)
