import asyncio
from typing import Any

import httpx2
import pytest
from mcp import MCPError
from mcp.types import TextResourceContents

from tests.server.mcp.talking import MODES, talking, text_of
from tests.server.standing import ACME, BALANCE, GLOBEX, Standing, standing
from veridical.answering.feature import Feature
from veridical.contracts.answer import Answer
from veridical.contracts.person import Approvals
from veridical.contracts.result import ToolResult
from veridical.server.identity import Role

pytestmark = pytest.mark.postgres

SUM = {
    "tableName": "TrusteeDataAccountBalance",
    "aggregate": "sum",
    "field": "closingBalance",
}
YEAR_END = [
    {"field": "periodYear", "op": "=", "value": 2024},
    {"field": "periodMonth", "op": "=", "value": 0},
    {"field": "accountNumber", "op": "=", "value": "1020"},
]
ASKED = {"feature": "trustee", "question": BALANCE}
HELLO = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


@pytest.mark.parametrize("mode", MODES)
def test_a_refused_call_is_repaired_and_runs_with_a_receipt(server: Standing, mode: str) -> None:
    async def talk() -> tuple[Any, Any]:
        async with talking(server, mode=mode) as client:
            listed = {tool.name: tool for tool in (await client.list_tools()).tools}
            assert {"queryFeatureInstance", "knownQuestion", "aggregateTable"} <= listed.keys()
            assert all(
                tool.annotations is not None and tool.annotations.read_only_hint
                for tool in listed.values()
            )
            refused = await client.call_tool("aggregateTable", SUM)
            repaired = {**SUM, "filters": YEAR_END, "groupBy": ["currency"]}
            return refused, await client.call_tool("aggregateTable", repaired)

    refused, ran = asyncio.run(talk())
    assert refused.is_error
    assert "MISSING_REQUIRED_FILTER" in text_of(refused)
    told = ToolResult.model_validate(ran.structured_content)
    assert not ran.is_error
    assert told.receipt is not None
    assert told.receipt.row_count == 1


@pytest.mark.parametrize("mode", MODES)
def test_the_whole_agent_is_one_tool(server: Standing, mode: str) -> None:
    async def talk() -> Any:
        async with talking(server, mode=mode) as client:
            return await client.call_tool("queryFeatureInstance", ASKED)

    ran = asyncio.run(talk())
    given = Answer.model_validate(ran.structured_content["data"])
    assert given.text in text_of(ran)
    assert given.proof is not None
    with server.client() as plain:
        assert plain.get(f"/v1/traces/{given.trace_id}").status_code == 200


def test_the_question_behind_a_call_is_checked_too(server: Standing) -> None:
    wrong = {
        "tableName": "TrusteeDataJournalLine",
        "aggregate": "count",
        "userQuestion": "Wie hoch war der Saldo von Konto 1020 Ende 2024?",
    }

    async def talk() -> tuple[Any, Any]:
        async with talking(server) as client:
            blind = {name: value for name, value in wrong.items() if name != "userQuestion"}
            return (
                await client.call_tool("aggregateTable", blind),
                await client.call_tool("aggregateTable", wrong),
            )

    blind, told = asyncio.run(talk())
    assert not blind.is_error
    assert "WRONG_TABLE_FOR_PURPOSE" in text_of(told)


def test_the_tenant_is_the_credentials(server: Standing) -> None:
    async def rows(tenant: str) -> Any:
        async with talking(server, tenant) as client:
            ran = await client.call_tool(
                "queryTable", {"tableName": "TrusteeDataAccountBalance", "filters": YEAR_END}
            )
            assert ran.structured_content is not None
            return ran.structured_content["data"]["rows"]

    own, other = asyncio.run(rows(ACME)), asyncio.run(rows(GLOBEX))
    assert own
    assert other
    assert own != other


def test_what_the_data_means_is_a_resource(server: Standing) -> None:
    async def talk() -> tuple[str, str]:
        async with talking(server, role=Role.VIEWER) as client:
            listed, shape, facts = (await client.list_resources()).resources
            assert facts.uri == "veridical://facts"
            assert shape.uri == "veridical://schema/result"
            (template,) = (await client.list_resource_templates()).resource_templates
            assert template.uri_template == "veridical://ontology/{feature}{?question}"
            whole = (await client.read_resource(listed.uri)).contents[0]
            part = await client.read_resource(f"{listed.uri}?question=Mehrwertsteuer%202024")
            assert isinstance(whole, TextResourceContents)
            slice_ = part.contents[0]
            assert isinstance(slice_, TextResourceContents)
            with pytest.raises(MCPError, match="veridical://ontology/trustee"):
                await client.read_resource("veridical://ontology/payroll")
            return whole.text, slice_.text

    whole, part = asyncio.run(talk())
    assert "TrusteeDataAccountBalance" in whole
    assert whole != part


@pytest.mark.parametrize("mode", MODES)
def test_a_viewer_may_read_and_not_run(server: Standing, mode: str) -> None:
    async def talk() -> list[bool]:
        async with talking(server, role=Role.VIEWER, mode=mode) as client:
            assert (await client.list_tools()).tools == []
            calls = (("queryFeatureInstance", ASKED), ("aggregateTable", SUM), ("calculate", {}))
            return [(await client.call_tool(*call)).is_error for call in calls]

    assert asyncio.run(talk()) == [True, True, True]


def test_texts_speak_the_callers_language(server: Standing) -> None:
    async def talk() -> tuple[str, str]:
        async with talking(server, language="de") as client:
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            refused = await client.call_tool("aggregateTable", SUM)
            return tools["queryFeatureInstance"].description or "", text_of(refused)

    described, refused = asyncio.run(talk())
    assert "Beantwortet" in described
    assert "Saldo" in refused


@pytest.mark.parametrize("authorization", [None, "Bearer vk_none", "Basic YTpi"])
def test_without_a_credential_nothing_is_said(server: Standing, authorization: str | None) -> None:
    headers = {"authorization": authorization} if authorization else {}
    response = httpx2.post(f"{server.address}/mcp", json=HELLO, headers=headers)
    assert response.status_code == 401
    assert response.headers["www-authenticate"] == "Bearer"
    assert response.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT"])
def test_there_is_no_session_to_open_or_end(server: Standing, method: str) -> None:
    with server.client() as client:
        response = client.request(method, "/mcp")
    assert response.status_code == 405
    assert response.headers["allow"] == "POST"


def test_where_people_approve_nothing_goes_past_them(
    own_database: tuple[str, Any], trustee: Feature
) -> None:
    url, keys = own_database

    async def talk(server: Standing) -> tuple[set[str], Any, Any]:
        async with talking(server) as client:
            names = {tool.name for tool in (await client.list_tools()).tools}
            return (
                names,
                await client.call_tool("queryFeatureInstance", ASKED),
                await client.call_tool("aggregateTable", SUM),
            )

    with standing(url, trustee, keys, approvals=Approvals(evidence=True)) as server:
        names, asked, direct = asyncio.run(talk(server))
    about_data = {"queryFeatureInstance", "describe", "stateFacts", "checkAnswer"}
    assert names == about_data | {"calculate", "askAboutFiles"}
    assert direct.is_error
    assert asked.is_error
    assert asked.structured_content["errorDetails"]["code"] == "PERSON_NEEDED"
    assert asked.structured_content["data"]["runId"] in text_of(asked)
