"""Veridical in OpenAI's Agents SDK: the tool checks and runs, an output guardrail is the gate."""

from typing import Any

from agents import Agent, GuardrailFunctionOutput, Model, Runner, function_tool, output_guardrail

import veridical.client


def answer(question: str, model: Model | str, client: veridical.Client) -> str:
    """The agent's answer; raises ``OutputGuardrailTripwireTriggered`` where it does not stand."""
    results: list[veridical.client.Source] = []

    @function_tool
    def query(sql: str) -> str:
        """Run one SELECT statement."""
        if verdict := client.check(sql, question=question):
            results.append(client.run(verdict))
        rows = f"{results[-1].columns}: {results[-1].rows}\n" if verdict else ""
        return rows + verdict.feedback

    @output_guardrail
    def gate(context: Any, agent: Any, text: str) -> GuardrailFunctionOutput:
        proof = client.gate(text, results, question=question)
        return GuardrailFunctionOutput(proof.findings, tripwire_triggered=bool(proof.findings))

    told = client.context(question)
    agent = Agent(
        "analyst", instructions=told, model=model, tools=[query], output_guardrails=[gate]
    )
    return Runner.run_sync(agent, question).final_output
