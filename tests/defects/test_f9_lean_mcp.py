"""Another agent gets what it needs over MCP: few bytes, the right tools, a check of its answer."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from mcp import Client
from mcp.types import TextResourceContents, Tool

from tests.defects.mcp_orders import open_orders, owners_words, resource, talk, text_of
from veridical.answering.feature import Feature
from veridical.contracts.result import ToolResult
from veridical.server.mcp.answer_check import CHECK_ANSWER
from veridical.tools.describe import DESCRIBE
from veridical.tools.requirements import REQUIREMENT_TOOLS

pytestmark = pytest.mark.slow

MOST_BYTES = 16_000


@pytest.fixture(scope="module")
def orders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Feature]:
    feature = open_orders(tmp_path_factory.mktemp("orders"))
    yield feature
    feature.engine.database.close()


async def _tools(client: Client) -> dict[str, Tool]:
    return {tool.name: tool for tool in (await client.list_tools()).tools}


async def _called(client: Client, name: str, arguments: dict[str, Any]) -> ToolResult:
    return ToolResult.model_validate((await client.call_tool(name, arguments)).structured_content)


def test_f9_the_tools_of_a_database_are_few_bytes(orders: Feature) -> None:
    tools = talk(orders, _tools)
    sent = [
        each.model_dump(mode="json", by_alias=True, exclude_none=True) for each in tools.values()
    ]
    assert len(json.dumps(sent)) <= MOST_BYTES
    assert not any(each.output_schema for each in tools.values())


def test_f9_the_shape_of_results_is_told_once(orders: Feature) -> None:
    async def shapes(client: Client) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        for each in (await client.list_resources()).resources:
            if each.mime_type == "application/schema+json":
                (content,) = (await client.read_resource(each.uri)).contents
                assert isinstance(content, TextResourceContents)
                found.append(json.loads(content.text))
        return found

    (shape,) = talk(orders, shapes)
    assert {"success", "errorDetails", "receipt"} <= shape["properties"].keys()


def test_f9_requirements_are_reviewed_only_where_the_feature_says_so(orders: Feature) -> None:
    assert not talk(orders, _tools).keys() & set(REQUIREMENT_TOOLS)
    assert talk(replace(orders, requirements=True), _tools).keys() >= set(REQUIREMENT_TOOLS)


def test_f9_the_only_feature_need_not_be_named(orders: Feature) -> None:
    async def ask(client: Client) -> tuple[Tool, ToolResult]:
        tools = await _tools(client)
        asked = await _called(client, "queryFeatureInstance", {"question": "How many?"})
        return tools["queryFeatureInstance"], asked

    tool, alone = talk(orders, ask)
    assert tool.input_schema["required"] == ["question"]
    assert alone.success
    several = {name: replace(orders, name=name) for name in ("old", "new")}
    tool, unnamed = talk(several, ask)
    assert tool.input_schema["required"] == ["feature", "question"]
    assert not unnamed.success


def test_f9_an_answer_of_ones_own_is_checked_against_calls_made_again(orders: Feature) -> None:
    browsed = [{"tool": "browseTable", "arguments": {"tableName": "orders_2025"}}]
    answers = (
        ("The amount was 1,250 cents.", browsed),
        ("The amount was 777 or 888 cents.", browsed),
        ("The amount was 1,250 cents.", []),
    )

    async def check(client: Client) -> list[ToolResult]:
        return [
            await _called(client, CHECK_ANSWER, {"answer": answer, "calls": calls})
            for answer, calls in answers
        ]

    right, wrong, baseless = talk(orders, check)
    assert right.success, right
    assert (right.data["verdict"], wrong.data["verdict"]) == ("pass", "warn")
    assert {"777", "888"} <= {each["claim"].split()[0] for each in wrong.data["findings"]}
    assert not baseless.success or baseless.data["verdict"] != "pass"


@pytest.mark.parametrize(
    "arguments",
    [
        {"answer": "5", "calls": [{"tool": "nothing", "arguments": {}}]},
        {"answer": "", "calls": []},
        {"answer": "5", "calls": "browseTable"},
        {"answer": "5", "calls": [], "evidence": [{"amount": 5}]},
    ],
)
def test_f9_evidence_that_the_agent_brings_itself_is_refused(
    orders: Feature, arguments: dict[str, Any]
) -> None:
    async def check(client: Client) -> ToolResult:
        return await _called(client, CHECK_ANSWER, arguments)

    assert not talk(orders, check).success


def test_f9_a_table_is_browsed_with_what_its_owner_says(orders: Feature) -> None:
    async def browse(client: Client) -> str:
        return text_of(await client.call_tool("browseTable", {"tableName": "orders_2025"}))

    text = talk(orders, browse)
    for words in owners_words("orders_2025")[:4]:
        assert words in text


def test_f9_who_is_told_to_ask_can_ask(orders: Feature) -> None:
    async def read(client: Client) -> tuple[str, dict[str, Tool]]:
        return await resource(client), await _tools(client)

    text, tools = talk(orders, read, prompt_tokens=400)
    assert DESCRIBE in text.splitlines()[-1]
    assert DESCRIBE in tools
