"""Veridical in LangChain: the tool checks and runs queries, a middleware is the gate."""

from typing import Any

from langchain.agents import create_agent
from langchain.agents.middleware import ModelCallLimitMiddleware, after_model

import veridical.client


def answer(question: str, model: Any, client: veridical.Client) -> str:
    """The agent's answer; raises ``ModelCallLimitExceededError`` where none of them stands."""
    results: list[veridical.client.Source] = []

    def query(sql: str) -> str:
        """Run one SELECT statement."""
        if verdict := client.check(sql, question=question):
            results.append(client.run(verdict))
        rows = f"{results[-1].columns}: {results[-1].rows}\n" if verdict else ""
        return rows + verdict.feedback

    @after_model(can_jump_to=["model"])
    def gate(state: Any, runtime: Any) -> dict[str, Any] | None:
        reply = state["messages"][-1]
        proof = client.gate(reply.text, results, question=question)
        hints = [("user", finding.hint) for finding in proof.findings]
        return {"messages": hints, "jump_to": "model"} if hints and not reply.tool_calls else None

    guards = [gate, ModelCallLimitMiddleware(run_limit=6, exit_behavior="error")]
    agent = create_agent(model, [query], system_prompt=client.context(question), middleware=guards)
    return agent.invoke({"messages": [("user", question)]})["messages"][-1].text
