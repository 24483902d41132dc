"""Another assistant over MCP: what it is sent, and which tool a real model calls first.

    python -m benchmarks.local_model medium 18080
    python -m benchmarks.mcp_client --model http://127.0.0.1:18080/v1 --json
    python -m benchmarks.mcp_client --smoke --json

The protocol's official client lists the tools of the trustee's books from a server over HTTP with a
key, and those of the sample books from ``veridical mcp`` over stdio. ``tools_kb`` is the longer
list as it is sent; the command fails where it takes more than 16 kB. ``right_tool`` is the share of
the requests of ``tool_choice.py`` in which the model's first call fits; it is shown the server's
instructions and tools, must call one, and answers at temperature 0. ``--record`` keeps each call,
and goes on where it ended. OAuth and the panel in a browser are tests, not figures:
``tests/server/mcp/test_oauth.py`` and ``tests/console/test_answer_panel.py``.
"""

import argparse
import asyncio
import json
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.types import Tool

from benchmarks.command import command, show
from benchmarks.mcp_size import MOST_KB
from benchmarks.served import served
from benchmarks.server_load.ground import SMALL, open_ground
from benchmarks.tool_choice import Half, Offer, Record, read_requests, shares

_SMOKE = 3


def figures(options: argparse.Namespace) -> dict[str, Any]:
    """All figures."""
    with (
        tempfile.TemporaryDirectory(prefix="vmcp-") as folder,
        open_ground(Path(folder)) as ground,
        served(Path(folder), ground.settings) as server,
    ):
        offer = asyncio.run(_over_http(f"{server.address}/mcp", ground.keys[SMALL]))
    with tempfile.TemporaryDirectory(prefix="vmcp-") as folder:
        local = asyncio.run(_over_stdio(Path(folder)))
    found: dict[str, Any] = {"http_tools": len(offer.tools), "stdio_tools": len(local)}
    found["tools_kb"] = round(max(_size(offer.tools), _size(local)) / 1000, 1)
    requests = read_requests(options.half)[: _SMOKE if options.smoke else None]
    unknown = {tool for each in requests for tool in each.fitting}
    unknown -= {tool.name for tool in offer.tools}
    found["unknown_tools"] = len(unknown)
    if options.model:
        record = Record(options.record)
        asked = shares(requests, offer, options.model, record, quiet=options.json)
        found |= asyncio.run(asked)
    return found


async def _over_http(address: str, key: str) -> Offer:
    headers = {"authorization": f"Bearer {key}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(address, http_client=http)) as client,
    ):
        return Offer((await client.list_tools()).tools, client.instructions or "")


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


def main() -> None:
    """Print the figures; the last line is one JSON object."""
    parser = command(__doc__, smoke=f"{_SMOKE} requests")
    parser.add_argument("--model", help="an OpenAI-compatible server; without one, sizes alone")
    parser.add_argument("--half", type=Half, choices=Half, default=Half.BOTH)
    parser.add_argument("--record", type=Path, help="a file for the calls so far")
    options = parser.parse_args()
    found = figures(options)
    show(found, options, must_be_zero=("unknown_tools",))
    if found["tools_kb"] > MOST_KB:
        sys.exit("the tools take too much")


if __name__ == "__main__":
    main()
