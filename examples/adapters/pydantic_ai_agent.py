"""Veridical in Pydantic AI: a toolset checks and runs queries, the output validator is the gate."""

from checked_question import CheckedQuestion
from pydantic_ai import Agent, FunctionToolset, ModelRetry
from pydantic_ai.models import Model


def answer(asked: CheckedQuestion, model: Model | str) -> str:
    """The agent's answer where it stands, else the host's own."""
    data = FunctionToolset([asked.query], instructions=asked.context)
    agent = Agent(model, toolsets=[data])

    @agent.output_validator
    def gate(text: str) -> str:
        if hint := asked.objection(text):
            raise ModelRetry(hint)
        return asked.answer

    return agent.run_sync(asked.question).output
