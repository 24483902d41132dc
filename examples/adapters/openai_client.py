"""Veridical around OpenAI's client: each call is checked before it runs, the answer is gated."""

import json

from openai import OpenAI

import veridical

SQL = {"type": "object", "properties": {"sql": {"type": "string"}}, "required": ["sql"]}
TOOL = {"type": "function", "function": {"name": "query", "parameters": SQL}}


def answer(question: str, model: str, client: veridical.Client) -> str:
    """The model's answer, once one of them stands."""
    results, told = [], [{"role": "user", "content": f"{client.context(question)}\n{question}"}]
    for _ in range(6):
        chat = OpenAI().chat.completions.create(model=model, messages=told, tools=[TOOL])
        told.append(reply := chat.choices[0].message)
        for call in reply.tool_calls or ():
            if verdict := client.check(json.loads(call.function.arguments), question=question):
                results.append(client.run(verdict))
            text = f"{[(r.columns, r.rows) for r in results[-1:] if verdict]}\n{verdict.feedback}"
            told.append({"role": "tool", "tool_call_id": call.id, "content": text})
        if not reply.tool_calls:
            if not (proof := client.gate(reply.content, results, question=question)).findings:
                return reply.content
            told.extend({"role": "user", "content": each.hint} for each in proof.findings)
    return "I can't say."
