"""Veridical in Guardrails AI: a validator is the gate. It needs the core of Veridical alone."""

from typing import Any

from guardrails import Guard, OnFailAction
from guardrails.settings import settings
from guardrails.validators import (
    ErrorSpan,
    FailResult,
    PassResult,
    ValidationResult,
    Validator,
    register_validator,
)
from openai import OpenAI

from veridical import gate

settings.rc.enable_metrics = False  # else its maker hears of each validation


@register_validator(name="veridical/supported", data_type="string")
class Supported(Validator):
    """Passes an answer that the results of its conversation support, and marks what they don't."""

    def _validate(self, value: str, metadata: dict[str, Any]) -> ValidationResult:
        found = gate.check(value, metadata["told"], question=metadata["question"]).findings
        if not found:
            return PassResult()
        marks = [
            ErrorSpan(start=each.start, end=each.start + len(each.claim), reason=each.hint)
            for each in found
            if each.start is not None
        ]
        return FailResult(error_message="\n".join(each.hint for each in found), error_spans=marks)


def answer(question: str, model: str, told: list[Any]) -> str:
    """The model's answer after these calls and their results, once one of them stands."""

    def say(messages: list[Any], **_: Any) -> str:
        chat = OpenAI().chat.completions.create(model=model, messages=[*told, *messages])
        return chat.choices[0].message.content

    outcome = Guard().use(Supported(on_fail=OnFailAction.REASK))(
        say,
        messages=[{"role": "user", "content": question}],
        metadata={"question": question, "told": told},
        num_reasks=1,
    )
    return outcome.validated_output or "I can't say."
