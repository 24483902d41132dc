"""Another assistant over MCP: what it is sent, and which tool a real model calls first.

    python -m benchmarks.local_model medium 18080
    python -m benchmarks.mcp_client --model http://127.0.0.1:18080/v1 --json
    python -m benchmarks.mcp_client --smoke --json

The protocol's official client lists the tools of the trustee's books from a server over HTTP with a
key, and those of the sample books from ``veridical mcp`` over stdio. ``tools_kb`` is the longer
list as it is sent; the command fails where it takes more than 16 kB. Each line of
``tool_requests.txt`` is a request as somebody types it, with the tools of which a competent
assistant calls one first; its author had seen no description of any. ``right_tool`` is the share in
which the model's first call is one of them. ``--out`` keeps every request with the call. OAuth and
the panel in a browser are tests, not figures: ``tests/server/mcp/test_oauth.py`` and
``tests/console/test_answer_panel.py``.
"""

import argparse
import asyncio
import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.types import Tool
from openai import AsyncOpenAI
from rich.progress import track

from benchmarks.command import command, show
from benchmarks.mcp_size import MOST_KB
from benchmarks.served import served
from benchmarks.server_load.ground import SMALL, open_ground

_REQUESTS = Path(__file__).with_name("tool_requests.txt")
_SYSTEM = "You are the assistant of a trustee's office. Call the tool that fits the request."
_SMOKE = 3


@dataclass(frozen=True, slots=True)
class ToolRequest:
    """What somebody types, and the tools that are right."""

    fitting: frozenset[str]
    language: str
    text: str


def read_requests(path: Path = _REQUESTS) -> list[ToolRequest]:
    """One for each line."""
    lines = (line.split("\t") for line in path.read_text("utf-8").splitlines())
    return [ToolRequest(frozenset(fit.split("|")), language, text) for fit, language, text in lines]


def figures(options: argparse.Namespace) -> dict[str, Any]:
    """All figures."""
    with (
        tempfile.TemporaryDirectory(prefix="vmcp-") as folder,
        open_ground(Path(folder)) as ground,
        served(Path(folder), ground.settings) as server,
    ):
        remote = asyncio.run(_over_http(f"{server.address}/mcp", ground.keys[SMALL]))
    with tempfile.TemporaryDirectory(prefix="vmcp-") as folder:
        local = asyncio.run(_over_stdio(Path(folder)))
    found: dict[str, Any] = {"http_tools": len(remote), "stdio_tools": len(local)}
    found["tools_kb"] = round(max(_size(remote), _size(local)) / 1000, 1)
    requests = read_requests()[: _SMOKE if options.smoke else None]
    unknown = {tool for each in requests for tool in each.fitting} - {tool.name for tool in remote}
    found["unknown_tools"] = len(unknown)
    if options.model:
        found |= asyncio.run(_chosen(requests, remote, options))
    return found


async def _over_http(address: str, key: str) -> list[Tool]:
    headers = {"authorization": f"Bearer {key}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(address, http_client=http)) as client,
    ):
        return list((await client.list_tools()).tools)


async def _over_stdio(folder: Path) -> list[Tool]:
    started = StdioServerParameters(
        command=str(Path(sys.executable).with_name("veridical")),
        args=["mcp"],
        env=dict(os.environ),
        cwd=folder,
    )
    async with Client(started) as client:
        return list((await client.list_tools()).tools)


def _size(tools: Sequence[Tool]) -> int:
    sent = (each.model_dump(mode="json", by_alias=True, exclude_none=True) for each in tools)
    return sum(len(json.dumps(each, separators=(",", ":")).encode()) for each in sent)


async def _chosen(
    requests: Sequence[ToolRequest], tools: Sequence[Tool], options: argparse.Namespace
) -> dict[str, Any]:
    """The shares of right first calls, in all and by language."""
    client = AsyncOpenAI(base_url=options.model, api_key="none", timeout=600, max_retries=0)
    functions: list[Any] = [
        {
            "type": "function",
            "function": {
                "name": each.name,
                "description": each.description,
                "parameters": each.input_schema,
            },
        }
        for each in tools
    ]
    right, asked, kept = Counter[str](), Counter[str](), list[str]()
    for each in track(requests, "asking", disable=options.json):
        called = await _first_call(client, functions, each.text)
        asked[each.language] += 1
        right[each.language] += called in each.fitting
        fitting = "|".join(sorted(each.fitting))
        kept.append(f"{called in each.fitting}\t{called}\t{fitting}\t{each.text}")
    if options.out:
        options.out.write_text("\n".join(kept) + "\n", "utf-8")
    by_language = {name: round(right[name] / count, 3) for name, count in asked.items()}
    share = round(sum(right.values()) / len(requests), 3)
    return {"requests": len(requests), "right_tool": share, "by_language": by_language}


async def _first_call(client: AsyncOpenAI, functions: list[Any], text: str) -> str:
    """The name of the tool; empty where the model calls none."""
    messages: list[Any] = [
        {"role": "system", "content": _SYSTEM},
        {"role": "user", "content": text},
    ]
    reply = await client.chat.completions.create(
        model="local", messages=messages, tools=functions, temperature=0, max_tokens=400
    )
    calls = reply.choices[0].message.tool_calls or []
    return next((each.function.name for each in calls if each.type == "function"), "")


def main() -> None:
    """Print the figures; the last line is one JSON object."""
    parser = command(__doc__, smoke=f"{_SMOKE} requests")
    parser.add_argument("--model", help="an OpenAI-compatible server; without one, sizes alone")
    parser.add_argument("--out", type=Path, help="a file for each request with its call")
    options = parser.parse_args()
    found = figures(options)
    show(found, options, must_be_zero=("unknown_tools",))
    if found["tools_kb"] > MOST_KB:
        sys.exit("the tools take too much")


if __name__ == "__main__":
    main()
