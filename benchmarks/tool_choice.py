"""Which tool a real model calls first: requests as people type them, with the tools that fit.

Each line of ``tool_requests.txt`` has the tools of which a competent assistant calls one first, the
language and the request; its author had seen no description of any. Texts that models read are
written with the first half in view; the second is for measuring them.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

from mcp.types import Tool
from openai import AsyncOpenAI
from rich.progress import track

_REQUESTS = Path(__file__).with_name("tool_requests.txt")
_SYSTEM = "You are the assistant of a trustee's office. Call the tool that fits the request."


class Half(StrEnum):
    """Which requests are asked."""

    FIRST = "first"
    SECOND = "second"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class ToolRequest:
    """What somebody types, and the tools that are right."""

    fitting: frozenset[str]
    language: str
    text: str


class Offer(NamedTuple):
    """What a client shows its model of a server."""

    tools: Sequence[Tool]
    instructions: str


def read_requests(half: Half = Half.BOTH, path: Path = _REQUESTS) -> list[ToolRequest]:
    """One for each line."""
    lines = [line.split("\t") for line in path.read_text("utf-8").splitlines()]
    middle = len(lines) // 2
    wanted = {Half.FIRST: lines[:middle], Half.SECOND: lines[middle:], Half.BOTH: lines}[half]
    return [
        ToolRequest(frozenset(fit.split("|")), language, text) for fit, language, text in wanted
    ]


class Record:
    """The calls so far, one line for each, so that a measurement can be continued."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        lines = file.read_text("utf-8").splitlines() if file and file.exists() else []
        known = (line.partition("\t") for line in lines)
        self.called = {text: tool for tool, _, text in known}

    def keep(self, request: ToolRequest, tool: str) -> None:
        """Add one."""
        self.called[request.text] = tool
        if self._file:
            with self._file.open("a", encoding="utf-8") as out:
                out.write(f"{tool}\t{request.text}\n")


async def shares(
    requests: Sequence[ToolRequest], offer: Offer, address: str, record: Record, *, quiet: bool
) -> dict[str, Any]:
    """The shares of right first calls, in all and by language, and what was called instead."""
    client = AsyncOpenAI(base_url=address, api_key="none", timeout=1800, max_retries=0)
    functions: list[Any] = [_function(each) for each in offer.tools]
    system = f"{_SYSTEM}\n\n{offer.instructions}"
    right, asked, wrong = Counter[str](), Counter[str](), Counter[str]()
    for each in track(requests, "asking", disable=quiet):
        if each.text not in record.called:
            record.keep(each, await _first_call(client, functions, system, each.text))
        asked[each.language] += 1
        called = record.called[each.text]
        right[each.language] += called in each.fitting
        if called not in each.fitting:
            wrong[f"{called or 'none'} for {'|'.join(sorted(each.fitting))}"] += 1
    return {
        "requests": len(requests),
        "right_tool": round(right.total() / len(requests), 3),
        "by_language": {name: round(right[name] / count, 3) for name, count in asked.items()},
        "wrong": dict(wrong.most_common()),
    }


def _function(tool: Tool) -> dict[str, Any]:
    described = {"name": tool.name, "description": tool.description}
    return {"type": "function", "function": {**described, "parameters": tool.input_schema}}


async def _first_call(client: AsyncOpenAI, functions: list[Any], system: str, text: str) -> str:
    """The name of the tool. Its arguments are not waited for."""
    messages: list[Any] = [
        {"role": "system", "content": system},
        {"role": "user", "content": text},
    ]
    async with await client.chat.completions.create(
        model="local",
        messages=messages,
        tools=functions,
        tool_choice="required",
        temperature=0,
        max_tokens=400,
        stream=True,
    ) as stream:
        async for part in stream:
            calls = part.choices[0].delta.tool_calls if part.choices else None
            for each in calls or ():
                if each.function and each.function.name:
                    return each.function.name
    return ""
