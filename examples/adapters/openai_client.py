"""Veridical around OpenAI's client: each call is checked before it runs, the answer is gated."""

import json
from typing import Any

from checked_question import CheckedQuestion
from openai import OpenAI

SQL = {"type": "object", "properties": {"sql": {"type": "string"}}, "required": ["sql"]}
TOOL = {"type": "function", "function": {"name": "query", "parameters": SQL}}


def reply(asked: CheckedQuestion, model: str, told: list[Any]) -> str:
    """What the model says after its queries; all of it is added to the conversation."""
    while True:
        chat = OpenAI().chat.completions.create(model=model, messages=told, tools=[TOOL])
        told.append(said := chat.choices[0].message)
        if not said.tool_calls:
            return said.content
        for call in said.tool_calls:
            text = asked.query(**json.loads(call.function.arguments))
            told.append({"role": "tool", "tool_call_id": call.id, "content": text})


def answer(asked: CheckedQuestion, model: str) -> str:
    """The model's answer where it stands, else the host's own."""
    told = asked.messages
    while hint := asked.objection(reply(asked, model, told)):
        told.append({"role": "user", "content": hint})
    return asked.answer
