"""Veridical over MCP: its server checks and runs each call, the gate reads the transcript."""

import json

from mcp import Client
from openai import AsyncOpenAI

from veridical import gate


async def answer(question: str, model: str, client: Client) -> str:
    """The model's answer, once one of them stands."""
    told, listed = [{"role": "user", "content": question}], (await client.list_tools()).tools
    offered = [{"name": each.name, "parameters": each.input_schema} for each in listed]
    tools = [{"type": "function", "function": each} for each in offered]
    for _ in range(6):
        chat = await AsyncOpenAI().chat.completions.create(model=model, messages=told, tools=tools)
        told.append((reply := chat.choices[0].message).model_dump(exclude_none=True))
        for call in reply.tool_calls or ():
            arguments = json.loads(call.function.arguments)
            text = (await client.call_tool(call.function.name, arguments)).content[0].text
            told.append({"role": "tool", "tool_call_id": call.id, "content": text})
        if not reply.tool_calls:
            if not (proof := gate.check(reply.content, told, question=question)).findings:
                return reply.content
            told.extend({"role": "user", "content": each.hint} for each in proof.findings)
    return "I can't say."
