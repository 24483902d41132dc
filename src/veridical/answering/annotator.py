"""The annotator: a second model writes references into a text, so that the gate can evaluate it.

It is asked once, told once what was wrong, and has some seconds in all. It can prove what nobody
else has proven; whatever it does wrong leaves the verdict as it was.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter

from pydantic_ai.messages import (
    InstructionPart,
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    UserPromptPart,
)
from pydantic_ai.models import Model, ModelRequestParameters

from veridical.agent.failure import FailureCode
from veridical.agent.model_call import ModelCall, Reply, call_model
from veridical.agent.model_message import read_message, text_of
from veridical.agent.prompt import moment
from veridical.contracts.annotation import Annotation
from veridical.contracts.language import Language
from veridical.contracts.proof import Proof
from veridical.gate.annotation.check import CheckedAnnotation
from veridical.gate.annotation.prompt import annotation_instruction, annotation_task
from veridical.gate.evidence.exhibit import Exhibit
from veridical.messages import message

_ATTEMPTS = 2
_MOST_REASONS = 8
_SHORT = 300
NOTHING_TO_REFER_TO = "nothing_to_refer_to"

Check = Callable[[str], CheckedAnnotation]
"""Holds an annotation against the text that it was written into."""


@dataclass(frozen=True, slots=True)
class Annotated:
    """The proof by an annotation, if there is one, and what came of asking for it."""

    proof: Proof | None
    record: Annotation


@dataclass(slots=True)
class _Asking:
    """One text, its conversation with the annotator, and what that has cost."""

    model: Model
    seconds: float
    messages: list[ModelMessage] = field(default_factory=list[ModelMessage])
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    reason: str = ""
    begun: float = field(default_factory=perf_counter)

    async def proof(self, check: Check, language: Language) -> Proof | None:
        for _ in range(_ATTEMPTS):
            said = await self._said()
            if not said:
                return None
            checked = check(said)
            if checked.proof is not None:
                self.reason = ""
                return checked.proof
            self.reason = "; ".join(checked.reasons)[:_SHORT]
            listed = "\n".join(f"- {each}" for each in checked.reasons[:_MOST_REASONS])
            feedback = message("annotation.again", language, reasons=listed)
            self.messages.append(ModelResponse([TextPart(said)], timestamp=moment(0)))
            self.messages.append(asked(feedback))
        return None

    async def _said(self) -> str:
        """The annotated text; empty where the model failed."""
        parameters = ModelRequestParameters(
            instruction_parts=[InstructionPart(annotation_instruction())]
        )
        left = self.seconds - (perf_counter() - self.begun)
        call = ModelCall(self.model, parameters, left)
        self.calls += 1
        reply = Reply.model_validate(await call_model(call, self.messages, left))
        if reply.failure is not None:
            self.reason = reply.failure.text
            return ""
        heard = read_message(reply.message, moment(reply.at))
        self.input_tokens += heard.usage.input_tokens
        self.output_tokens += heard.usage.output_tokens
        text = text_of(heard)
        self.reason = "" if text else FailureCode.UNREADABLE.value
        return text

    def record(self, *, accepted: bool) -> Annotation:
        return Annotation(
            model=self.model.model_name,
            accepted=accepted,
            reason=self.reason,
            calls=self.calls,
            input_tokens=self.input_tokens,
            output_tokens=self.output_tokens,
            elapsed_ms=round((perf_counter() - self.begun) * 1000, 3),
        )


def asked(text: str) -> ModelRequest:
    """What the annotator is told."""
    return ModelRequest([UserPromptPart(text, timestamp=moment(0))])


async def annotate(
    text: str,
    exhibits: Sequence[Exhibit],
    check: Check,
    *,
    model: Model,
    seconds: float,
    question: str,
    language: Language,
) -> Annotated:
    """The proof of a text by the annotation that a model writes; never raises for what it does."""
    asking = _Asking(model, seconds)
    task = annotation_task(text, exhibits, question, language)
    if task is None:
        asking.reason = NOTHING_TO_REFER_TO
        return Annotated(None, asking.record(accepted=False))
    asking.messages.append(asked(task))
    proof = None
    try:
        async with asyncio.timeout(seconds):
            proof = await asking.proof(check, language)
    except TimeoutError:
        asking.reason = FailureCode.TIMEOUT.value
    return Annotated(proof, asking.record(accepted=proof is not None))
