"""Plays adapters of ``examples/adapters`` in an environment that has their framework.

Reads lines of JSON: an adapter's name, what the model says in its turns, and the results of the
calls among them.
Prints a line for each: the answer with its proofs and warnings, or the error that came instead.
"""

import asyncio
import importlib
import json
import os
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import veridical

ADAPTERS = Path(__file__).parents[2] / "examples" / "adapters"
SETTINGS = ADAPTERS / "veridical.toml"
QUESTION = "How many units did Harbour have in stock at the end of March 2026?"
MCP_TOOL = "executeSqlSafe"
_MODEL = "scripted"


def record(asked: Any, answer: str) -> dict[str, Any]:
    """What every adapter is to come to alike."""
    return {
        "answer": answer,
        "verdicts": [[each.code for each in proof.findings] for proof in asked.proofs],
        "warnings": [[each.code for each in result.warnings] for result in asked.results],
    }


def _asked(answer: Callable[[Any], str]) -> dict[str, Any]:
    from checked_question import CheckedQuestion

    with veridical.open(SETTINGS) as client:
        asked = CheckedQuestion(QUESTION, client)
        return record(asked, answer(asked))


def _plain(adapter: Any, script: list[Any], results: list[str]) -> dict[str, Any]:
    return _asked(lambda asked: adapter.answer(asked, _MODEL))


def _pydantic_ai(adapter: Any, script: list[Any], results: list[str]) -> dict[str, Any]:
    return _asked(lambda asked: adapter.answer(asked, f"openai-chat:{_MODEL}"))


def _langchain(adapter: Any, script: list[Any], results: list[str]) -> dict[str, Any]:
    return _asked(lambda asked: adapter.answer(asked, f"openai:{_MODEL}"))


def _openai_agents(adapter: Any, script: list[Any], results: list[str]) -> dict[str, Any]:
    from agents import set_default_openai_api

    set_default_openai_api("chat_completions")
    return _plain(adapter, script, results)


def _llama_index(adapter: Any, script: list[Any], results: list[str]) -> dict[str, Any]:
    """Its model for tests says what the endpoint says to the others."""
    from llama_index.core.llms import ChatMessage
    from llama_index.core.llms.mock import MockFunctionCallingLLM

    said = iter(script)
    heard: list[str] = []

    def speak(messages: Sequence[ChatMessage], **_: Any) -> ChatMessage:
        heard[:] = [each.content or "" for each in messages]
        line = next(said, script[-1])
        if isinstance(line, str):
            return ChatMessage(role="assistant", content=line)
        call = {"block_type": "tool_call", "tool_call_id": "c", "tool_name": "query"}
        return ChatMessage(role="assistant", blocks=[{**call, "tool_kwargs": line}])

    model = MockFunctionCallingLLM(response_generator=speak)
    played = _asked(lambda asked: asyncio.run(adapter.answer(asked, model)))
    return {**played, "heard": "\n".join(heard)}


def _guardrails(adapter: Any, script: list[Any], results: list[str]) -> dict[str, Any]:
    """The calls were made elsewhere: it gets the conversation with their results."""
    told: list[dict[str, Any]] = []
    for at, (arguments, text) in enumerate(zip(script, results, strict=False)):
        function = {"name": "query", "arguments": json.dumps(arguments)}
        call = {"id": f"call-{at}", "type": "function", "function": function}
        told.append({"role": "assistant", "tool_calls": [call]})
        told.append({"role": "tool", "tool_call_id": call["id"], "content": text})
    return {"answer": adapter.answer(QUESTION, _MODEL, told)}


@cache
def _mcp_server() -> tuple[asyncio.Runner, Any]:
    """A server for all conversations, which ends with this process."""
    from mcp import Client, StdioServerParameters

    program = str(Path(sys.executable).with_name("veridical"))
    server = StdioServerParameters(
        command=program, args=["mcp"], cwd=ADAPTERS, env=dict(os.environ)
    )

    runner = asyncio.Runner()
    return runner, runner.run(Client(server).__aenter__())


def _mcp_client(adapter: Any, script: list[Any], results: list[str]) -> dict[str, Any]:
    runner, client = _mcp_server()
    return {"answer": runner.run(adapter.answer(QUESTION, _MODEL, client))}


PLAYERS: dict[str, Callable[[Any, list[Any], list[str]], dict[str, Any]]] = {
    "guardrails_validator": _guardrails,
    "langchain_agent": _langchain,
    "llama_index_agent": _llama_index,
    "mcp_client": _mcp_client,
    "nemo_guardrails": _plain,
    "openai_agents_sdk": _openai_agents,
    "openai_client": _plain,
    "pydantic_ai_agent": _pydantic_ai,
}


def _play(name: str, script: list[Any], results: list[str]) -> dict[str, Any]:
    try:
        return PLAYERS[name](importlib.import_module(name), script, results)
    except Exception as error:
        return {"error": type(error).__name__, "text": str(error)[:2000]}


if __name__ == "__main__":
    sys.path.insert(0, str(ADAPTERS))
    out, sys.stdout = sys.stdout, sys.stderr  # what frameworks print is no answer
    if sys.argv[1:] == ["compile"]:  # what all need
        _asked(lambda asked: asked.query("SELECT * FROM stock") + asked.objection(QUESTION))
        sys.exit()
    for line in sys.stdin:
        print(json.dumps(_play(*json.loads(line))), file=out, flush=True)
