"""A real client of the protocol against the server under test."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager

import httpx2
from mcp import Client
from mcp.client.extension import ClientExtension
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult, TextContent

from tests.server.standing import ACME, Standing
from veridical.server.identity import Role

MODES = ("auto", "legacy")
"""The protocol without a handshake, and the one before it."""


@asynccontextmanager
async def talking(
    server: Standing,
    tenant: str = ACME,
    role: Role = Role.ANALYST,
    mode: str = "auto",
    language: str = "en",
    extensions: Sequence[ClientExtension] = (),
) -> AsyncGenerator[Client]:
    """Somebody of this tenant who talks to the server over HTTP."""
    headers = {
        "authorization": f"Bearer {server.keys[tenant, role]}",
        "accept-language": language,
    }
    async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
        transport = streamable_http_client(f"{server.address}/mcp", http_client=http)
        async with Client(transport, mode=mode, extensions=extensions) as client:
            yield client


def text_of(result: CallToolResult) -> str:
    """What a model reads of a result."""
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text
