"""What a call over MCP says and can't be read is refused in words, never dropped."""

from collections.abc import Iterator
from typing import Any

import pytest
from mcp import Client

from tests.defects.mcp_orders import open_orders, talk
from veridical.answering.feature import Feature
from veridical.contracts.result import ToolResult

pytestmark = pytest.mark.slow

BROWSE = {"tableName": "orders_2025"}


@pytest.fixture(scope="module")
def orders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Feature]:
    feature = open_orders(tmp_path_factory.mktemp("orders"))
    yield feature
    feature.engine.database.close()


def _called(orders: Feature, name: str, arguments: dict[str, Any]) -> ToolResult:
    async def call(client: Client) -> ToolResult:
        told = await client.call_tool(name, arguments)
        return ToolResult.model_validate(told.structured_content)

    return talk(orders, call)


@pytest.mark.parametrize(
    "question",
    [["How", "many?"], {"text": "How many?"}, 7, True, None, "x" * 9_000, "How\x00many?", "\ud800"],
    ids=lambda question: ascii(question)[:20],
)
def test_s7_a_question_that_cannot_be_read_runs_nothing(orders: Feature, question: Any) -> None:
    told = _called(orders, "browseTable", {**BROWSE, "userQuestion": question})
    assert not told.success
    assert told.receipt is None
    assert told.error_details is not None
    assert told.error_details["field"] == "userQuestion"
    assert "userQuestion" in told.error_details["hint"]


def test_s7_a_question_in_words_is_taken(orders: Feature) -> None:
    assert _called(orders, "browseTable", {**BROWSE, "userQuestion": "What is in there?"}).success
    assert _called(orders, "browseTable", {**BROWSE, "userQuestion": ""}).success


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("queryFeatureInstance", {"question": "How many?"}),
        ("browseTable", BROWSE),
        ("queryTable", BROWSE),
        ("aggregateTable", {**BROWSE, "aggregate": "count"}),
        ("executeSqlSafe", {"sql": "SELECT 1"}),
        ("calculate", {"expression": "1 + 1"}),
        ("describe", {"topic": "orders_2025"}),
        ("checkAnswer", {"answer": "5", "calls": []}),
        ("stateFacts", {"facts": {}, "answer": "none", "calls": []}),
    ],
)
@pytest.mark.parametrize("extra", ["tenant", "tool", "questoin"])
def test_s7_no_tool_ignores_an_argument(
    orders: Feature, name: str, arguments: dict[str, Any], extra: str
) -> None:
    told = _called(orders, name, {**arguments, extra: "other"})
    assert not told.success
    assert told.error_details is not None
    assert told.error_details["field"] == extra
    assert extra in told.error_details["hint"]
