"""A hint names only tools that whoever reads it can call, by the name they call them."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from tests.defects.mcp_orders import OWNER, open_orders, talk
from veridical.answering.feature import Feature
from veridical.check.checker import Checker
from veridical.contracts.violation import Refusal
from veridical.ontology.catalog import Catalog
from veridical.tools.file_shelf import FileShelf
from veridical.tools.registry import QUERY_FEATURE, TOOL_NAMES
from veridical.tools.toolbox import Toolbox

pytestmark = pytest.mark.slow

UNKNOWN_FIELD = {"tableName": "orders_2025", "fields": ["zzz"]}
UNKNOWN_TABLE = {"tableName": "zzz"}
UNKNOWN_VALUE = {
    "tableName": "orders_2025",
    "filters": [{"field": "state", "op": "=", "value": "zzz"}],
}
CALLS = (UNKNOWN_FIELD, UNKNOWN_TABLE, UNKNOWN_VALUE)


@pytest.fixture(scope="module")
def orders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Feature]:
    feature = open_orders(tmp_path_factory.mktemp("orders"))
    yield feature
    feature.engine.database.close()


def _named(hint: str) -> set[str]:
    return {name for name in (*TOOL_NAMES, QUERY_FEATURE) if name in hint}


@pytest.mark.parametrize("call", CALLS, ids=str)
def test_f6_the_check_alone_names_no_tool(orders: Feature, call: dict[str, Any]) -> None:
    refusal = orders.checker.check({"tool": "queryTable", **call}, OWNER)
    assert isinstance(refusal, Refusal)
    assert not any(_named(each.hint) for each in refusal.violations)


@pytest.mark.parametrize("call", CALLS, ids=str)
@pytest.mark.parametrize(
    "offered",
    [("queryTable",), ("queryTable", "browseTable"), ("queryTable", "describe"), ()],
    ids=str,
)
def test_f6_a_toolbox_names_what_it_has(
    orders: Feature, call: dict[str, Any], offered: tuple[str, ...]
) -> None:
    toolbox = orders.toolbox(OWNER, only=offered)
    refused = toolbox.call("queryTable", call)
    assert refused.error_details is not None
    assert _named(refused.error_details["hint"]) <= set(toolbox.names)


def test_f6_where_there_is_a_tool_that_helps_it_is_named(orders: Feature) -> None:
    def hints(*offered: str) -> list[str]:
        toolbox = orders.toolbox(OWNER, only=("queryTable", *offered))
        return [
            (toolbox.call("queryTable", call).error_details or {})["hint"]
            for call in (UNKNOWN_FIELD, UNKNOWN_VALUE)
        ]

    assert all("describe" in hint for hint in hints("describe"))
    assert all("browseTable" in hint for hint in hints("browseTable"))


def test_f6_with_several_features_it_is_named_as_it_is_called(orders: Feature) -> None:
    async def call(client: Client) -> tuple[set[str], list[str]]:
        names = {tool.name for tool in (await client.list_tools()).tools}
        told = [await client.call_tool("new_queryTable", each) for each in CALLS]
        return names, [(each.structured_content or {})["errorDetails"]["hint"] for each in told]

    features = {name: replace(orders, name=name) for name in ("old", "new")}
    names, hints = talk(features, call)
    assert "new_describe" in names
    assert any("new_describe" in hint for hint in hints)


def test_f6_a_file_is_looked_into_by_the_tool_for_files(tmp_path: Path) -> None:
    file = tmp_path / "sales.csv"
    file.write_text("day,amount\n2026-01-01,5\n", "utf-8")
    toolbox = Toolbox(Checker(Catalog()), files=FileShelf({"sales.csv": file}))
    asked = {"fileName": "sales.csv", "aggregate": "sum", "field": "zzz"}
    refused = toolbox.call("analyzeDataframe", asked)
    assert refused.error_details is not None
    assert _named(refused.error_details["hint"]) == {"inspectFile"}
