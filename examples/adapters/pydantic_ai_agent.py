"""Veridical in Pydantic AI: the tool checks and runs queries, the output validator is the gate."""

from pydantic_ai import Agent, ModelRetry
from pydantic_ai.models import Model

import veridical.client


def answer(question: str, model: Model | str, client: veridical.Client) -> str:
    """The agent's answer; raises ``UnexpectedModelBehavior`` where none of them stands."""
    results: list[veridical.client.Source] = []
    agent = Agent(model, instructions=client.context(question), retries=2)

    @agent.tool_plain
    def query(sql: str) -> str:
        """Run one SELECT statement."""
        verdict = client.check(sql, question=question)
        if not verdict:
            raise ModelRetry(verdict.feedback)
        results.append(client.run(verdict))
        return f"{results[-1].columns}: {results[-1].rows}\n{verdict.feedback}"

    @agent.output_validator
    def gate(text: str) -> str:
        proof = client.gate(text, results, question=question)
        if proof.findings:
            raise ModelRetry("\n".join(finding.hint for finding in proof.findings))
        return text

    return agent.run_sync(question).output
