"""The contract with programs that are connected: tools and their arguments, as they were promised.

A change that is meant replaces the file by what the failure names. Taking something away is one
that programs notice, and belongs into the changelog.
"""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tests.server.mcp.talking import talking
from tests.server.standing import Standing
from veridical.tools.known_question import KNOWN_QUESTION

pytestmark = pytest.mark.postgres
CONTRACT = Path(__file__).with_name("tool_contract.json")
MOST_KB = 10
"""Of the tools that are the same for all data; the known questions grow with what their owner
writes. ``python -m benchmarks.mcp_size`` measures a whole list."""


def _shape(schema: Any) -> Any:
    """A schema without its words, the names of tables and columns, and the known questions."""
    if isinstance(schema, list):
        return [_shape(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: {name: _shape(each) for name, each in value.items()}
        if key == "properties"
        else _shape(value)
        for key, value in sorted(schema.items())
        if key not in ("anyOf", "description", "enum", "title")
    }


def _offered(server: Standing) -> tuple[dict[str, Any], int]:
    async def talk() -> tuple[dict[str, Any], int]:
        async with talking(server) as client:
            tools = (await client.list_tools()).tools
            sent = [
                each.model_dump(mode="json", by_alias=True, exclude_none=True) for each in tools
            ]
            fixed = [each for each in sent if each["name"] != KNOWN_QUESTION]
            size = len(json.dumps(fixed, separators=(",", ":")).encode())
            offered = {
                "tools": {
                    each["name"]: {
                        "arguments": _shape(each["inputSchema"]),
                        "annotations": each["annotations"],
                    }
                    for each in sent
                },
                "resources": [each.uri for each in (await client.list_resources()).resources],
                "templates": [
                    each.uri_template
                    for each in (await client.list_resource_templates()).resource_templates
                ],
                "prompts": [each.name for each in (await client.list_prompts()).prompts],
            }
            return offered, size

    return asyncio.run(talk())


def test_tools_and_their_arguments_are_those_that_were_promised(
    server: Standing,
) -> None:
    offered, size = _offered(server)
    text = json.dumps(offered, indent=1, sort_keys=True) + "\n"
    if text != CONTRACT.read_text("utf-8"):
        new = CONTRACT.with_suffix(".new.json")
        new.write_text(text, "utf-8")
        pytest.fail(f"the contract has changed; if that is meant, {new.name} replaces the file")
    assert size <= MOST_KB * 1000, size
