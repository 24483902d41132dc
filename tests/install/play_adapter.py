"""Plays the adapters of ``examples/adapters`` in an environment that has their frameworks.

Reads lines of JSON: an adapter's name, and what the model says in their turn. Prints a line for
each: the answer, or the error by which it was held back.
"""

import asyncio
import importlib
import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import veridical

ADAPTERS = Path(__file__).parents[2] / "examples" / "adapters"
SETTINGS = ADAPTERS / "veridical.toml"
QUESTION = "How many units did Harbour have in stock at the end of March 2026?"
_MODEL = "scripted"


def _waiting(adapter: Any, model: Any) -> str:
    with veridical.open(SETTINGS) as client:
        return adapter.answer(QUESTION, model, client)


def _pydantic_ai(adapter: Any, script: list[Any]) -> str:
    return _waiting(adapter, f"openai-chat:{_MODEL}")


def _langchain(adapter: Any, script: list[Any]) -> str:
    return _waiting(adapter, f"openai:{_MODEL}")


def _openai_agents(adapter: Any, script: list[Any]) -> str:
    from agents import set_default_openai_api

    set_default_openai_api("chat_completions")
    return _waiting(adapter, _MODEL)


def _openai_client(adapter: Any, script: list[Any]) -> str:
    return _waiting(adapter, _MODEL)


def _llama_index(adapter: Any, script: list[Any]) -> str:
    """Its model for tests says what the endpoint says to the others."""
    from llama_index.core.llms import ChatMessage
    from llama_index.core.llms.mock import MockFunctionCallingLLM

    said = iter(script)

    def speak(messages: Sequence[ChatMessage], **_: Any) -> ChatMessage:
        line = next(said, script[-1])
        if isinstance(line, str):
            return ChatMessage(role="assistant", content=line)
        call = {"block_type": "tool_call", "tool_call_id": "c", "tool_name": "query"}
        return ChatMessage(role="assistant", blocks=[{**call, "tool_kwargs": line}])

    async def ask() -> str:
        async with veridical.open(SETTINGS) as client:
            model = MockFunctionCallingLLM(response_generator=speak)
            return await adapter.answer(QUESTION, model, client)

    return asyncio.run(ask())


def _mcp_client(adapter: Any, script: list[Any]) -> str:
    from mcp import Client, StdioServerParameters

    program = str(Path(sys.executable).with_name("veridical"))
    server = StdioServerParameters(
        command=program, args=["mcp"], cwd=ADAPTERS, env=dict(os.environ)
    )

    async def ask() -> str:
        async with Client(server) as client:
            return await adapter.answer(QUESTION, _MODEL, client)

    return asyncio.run(ask())


PLAYERS: dict[str, Callable[[Any, list[Any]], str]] = {
    "langchain_agent": _langchain,
    "llama_index_agent": _llama_index,
    "mcp_client": _mcp_client,
    "openai_agents_sdk": _openai_agents,
    "openai_client": _openai_client,
    "pydantic_ai_agent": _pydantic_ai,
}


def _play(name: str, script: list[Any]) -> dict[str, str]:
    adapter = importlib.import_module(name)
    try:
        return {"answer": PLAYERS[name](adapter, script)}
    except Exception as error:
        return {"error": type(error).__name__, "text": str(error)[:2000]}


if __name__ == "__main__":
    sys.path.insert(0, str(ADAPTERS))
    for line in sys.stdin:
        print(json.dumps(_play(*json.loads(line))), flush=True)
