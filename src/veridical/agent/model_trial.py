"""Tries a model out with one small request, like those of the agent."""

import asyncio
from dataclasses import dataclass
from time import perf_counter

from pydantic_ai.messages import ModelRequest, UserPromptPart
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from veridical.agent.failure import Failure, FailureCode
from veridical.agent.model_call import ModelCall, Reply, call_model
from veridical.contracts.language import Language
from veridical.messages import message

TRIAL_SECONDS = 30.0
_TOKENS = 64
_ANSWERED = frozenset({FailureCode.CUT_OFF, FailureCode.FILTERED})
"""Codes of a model that was reached and answered, in any words."""


@dataclass(frozen=True, slots=True)
class Trial:
    """The result of a trial."""

    seconds: float
    failure: Failure | None = None

    @property
    def is_good(self) -> bool:
        """True if the model answered."""
        return self.failure is None


async def try_model(model: Model, language: Language, seconds: float = TRIAL_SECONDS) -> Trial:
    """One request with a tool, because servers and models without tools are of no use."""
    tool = ToolDefinition(
        name="ready",
        description=message("model.trial_tool", language),
        parameters_json_schema={"type": "object", "properties": {}},
        strict=False,
    )
    call = ModelCall(
        model,
        ModelRequestParameters(function_tools=[tool]),
        seconds,
        settings=ModelSettings(max_tokens=_TOKENS),
    )
    request = ModelRequest([UserPromptPart(message("model.trial", language))])
    started = perf_counter()
    try:
        async with asyncio.timeout(seconds):
            failure = Reply.model_validate(await call_model(call, [request], seconds)).failure
    except TimeoutError:
        failure = Failure(code=FailureCode.TIMEOUT)
    spoke = failure is not None and failure.code in _ANSWERED
    return Trial(perf_counter() - started, None if spoke else failure)
