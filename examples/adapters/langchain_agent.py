"""Veridical in LangChain: the tool checks and runs queries, a middleware is the gate."""

from typing import Any

from checked_question import CheckedQuestion
from langchain.agents import create_agent
from langchain.agents.middleware import ModelCallLimitMiddleware, after_model
from langchain.messages import AIMessage, HumanMessage


def answer(asked: CheckedQuestion, model: Any) -> str:
    """The agent's answer where it stands, else the host's own."""

    @after_model(can_jump_to=["model"])
    def gate(state: Any, runtime: Any) -> dict[str, Any] | None:
        reply = state["messages"][-1]
        if reply.tool_calls:
            return None
        if hint := asked.objection(reply.text):
            return {"messages": [HumanMessage(hint)], "jump_to": "model"}
        return {"messages": [AIMessage(asked.answer, id=reply.id)]}

    agent = create_agent(
        model,
        [asked.query],
        system_prompt=asked.context,
        middleware=[gate, ModelCallLimitMiddleware(run_limit=12, exit_behavior="error")],
    )
    return agent.invoke({"messages": [HumanMessage(asked.question)]})["messages"][-1].text
