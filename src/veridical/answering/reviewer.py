"""The reviewer as a model: called once, with a limit of time; any failure is no review."""

import asyncio
from dataclasses import dataclass
from time import perf_counter

from pydantic_ai.messages import InstructionPart, ModelRequest, UserPromptPart
from pydantic_ai.models import Model, ModelRequestParameters

from veridical.agent.conversation import read_message, text_of
from veridical.agent.failure import FailureCode
from veridical.agent.model_call import ModelCall, Reply, call_model
from veridical.agent.prompt import moment
from veridical.contracts.facts_answer import FactsReview
from veridical.facts.review import (
    NoReviewError,
    ReviewTask,
    read_flags,
    review_instruction,
    review_prompt,
)


@dataclass(frozen=True, slots=True)
class ModelReviewer:
    """Any model; it gets the question, the prose and the exact sentences."""

    model: Model
    seconds: float

    async def __call__(self, task: ReviewTask) -> FactsReview:
        """One call; never raises for what the model does."""
        begun = perf_counter()
        parameters = ModelRequestParameters(
            instruction_parts=[InstructionPart(review_instruction())]
        )
        request = ModelRequest([UserPromptPart(review_prompt(task), timestamp=moment(0))])
        call = ModelCall(self.model, parameters, self.seconds)
        review = FactsReview(by=self.model.model_name, done=False, calls=1)
        try:
            async with asyncio.timeout(self.seconds):
                reply = Reply.model_validate(await call_model(call, [request], self.seconds))
            review = _read(reply, task, review)
        except TimeoutError:
            review = review.model_copy(update={"reason": FailureCode.TIMEOUT.value})
        elapsed = round((perf_counter() - begun) * 1000, 3)
        return review.model_copy(update={"elapsed_ms": elapsed})


def _read(reply: Reply, task: ReviewTask, review: FactsReview) -> FactsReview:
    if reply.failure is not None:
        return review.model_copy(update={"reason": reply.failure.code.value})
    response = read_message(reply.message, moment(reply.at))
    counted = review.model_copy(
        update={
            "input_tokens": response.usage.input_tokens,
            "output_tokens": response.usage.output_tokens,
        }
    )
    try:
        flags = read_flags(text_of(response), len(task.sentences))
    except NoReviewError:
        return counted.model_copy(update={"reason": FailureCode.UNREADABLE.value})
    return counted.model_copy(update={"done": True, "flags": flags})
