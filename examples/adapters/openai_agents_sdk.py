"""Veridical in OpenAI's Agents SDK: the tool checks and runs, an output guardrail is the gate."""

from typing import Any

from agents import (
    Agent,
    GuardrailFunctionOutput,
    Model,
    OutputGuardrailTripwireTriggered,
    Runner,
    function_tool,
    output_guardrail,
)
from checked_question import CheckedQuestion


def answer(asked: CheckedQuestion, model: Model | str) -> str:
    """The agent's answer where it stands, else the host's own."""

    @output_guardrail
    def gate(context: Any, agent: Any, text: str) -> GuardrailFunctionOutput:
        hint = asked.objection(text)
        return GuardrailFunctionOutput(hint, tripwire_triggered=bool(hint))

    agent = Agent(
        "analyst",
        instructions=asked.context,
        model=model,
        tools=[function_tool(asked.query)],
        output_guardrails=[gate],
    )
    told: list[Any] = [{"role": "user", "content": asked.question}]
    while not asked.answer:
        try:
            Runner.run_sync(agent, told)
        except OutputGuardrailTripwireTriggered as tripped:
            told += [item.to_input_item() for item in tripped.run_data.new_items]
            hint = tripped.guardrail_result.output.output_info
            told.append({"role": "user", "content": hint})
    return asked.answer
