"""Calls that another agent makes by itself: traced, and no more at once than there are limit."""

import asyncio
import threading
from dataclasses import replace
from typing import Any

import pytest
from mcp import MCPError

from tests.sample import ACCOUNTANT
from tests.server.mcp.talking import MODES, talking
from tests.server.mcp.test_http import SUM, YEAR_END
from tests.server.serving import wait_until
from tests.server.standing import ACME, GLOBEX, Standing, standing
from veridical.answering.feature import Feature
from veridical.contracts.result import ToolResult
from veridical.contracts.trace import AgentTrace, RunStarted, ToolCalled
from veridical.host.runtime import Runtime
from veridical.server.mcp.calls import TRACE_ID
from veridical.server.mcp.direct_calls import DirectCalls, OfferedTool
from veridical.trace.counters import CountedTrace, first_of

pytestmark = pytest.mark.postgres

RIGHT: dict[str, Any] = {**SUM, "filters": YEAR_END, "groupBy": ["currency"]}
QUESTION = "How much was in the bank at the end of 2024?"


def _trace(server: Standing, trace_id: str) -> CountedTrace:
    with server.client() as client:
        return CountedTrace.model_validate(client.get(f"/v1/traces/{trace_id}").json())


def _called(server: Standing, *calls: tuple[str, dict[str, Any]], mode: str = "auto") -> list[Any]:
    async def talk() -> list[Any]:
        async with talking(server, mode=mode) as client:
            return [await client.call_tool(*call) for call in calls]

    return asyncio.run(talk())


@pytest.mark.parametrize("mode", MODES)
def test_each_call_leaves_a_trace_of_its_tenant(server: Standing, mode: str) -> None:
    asked = {**RIGHT, "userQuestion": QUESTION}
    ran, refused = _called(server, ("aggregateTable", asked), ("aggregateTable", SUM), mode=mode)
    trace = _trace(server, ran.meta[TRACE_ID])
    started, called = first_of(trace, RunStarted), first_of(trace, ToolCalled)
    assert started is not None
    assert called is not None
    assert (started.tenant, started.question.text) == (ACME, QUESTION)
    assert (called.tool, called.arguments, called.success) == ("aggregateTable", RIGHT, True)
    assert called.receipt is not None
    assert called.receipt.call_id == ran.structured_content["receipt"]["callId"]
    assert called.evidence_hash
    denied = first_of(_trace(server, refused.meta[TRACE_ID]), ToolCalled)
    assert denied is not None
    assert denied.validation_failure_code == refused.structured_content["errorDetails"]["code"]
    assert denied.evidence_hash is None


def test_the_list_of_traces_says_what_came_of_a_call(server: Standing) -> None:
    ran, refused = _called(server, ("aggregateTable", RIGHT), ("aggregateTable", SUM))
    for each in (ran, refused):
        _trace(server, each.meta[TRACE_ID])
    with server.client() as client, server.client(GLOBEX) as stranger:
        listed = client.get("/v1/traces", params={"limit": 100}).json()["traces"]
        foreign = stranger.get(f"/v1/traces/{ran.meta[TRACE_ID]}")
    call_outcomes = {each["traceId"]: (each["route"], each["outcome"]) for each in listed}
    assert call_outcomes[ran.meta[TRACE_ID]] == ("tool", "ran")
    code = refused.structured_content["errorDetails"]["code"]
    assert call_outcomes[refused.meta[TRACE_ID]] == ("tool", code)
    assert foreign.status_code == 404


@pytest.mark.parametrize(
    "arguments",
    [
        {"tableName": "a\x00b"},
        {"tableName": "\ud800"},
        {"sql": "x" * 200_000},
        {"tableName": 10**400},
        {"tableName": [[]] * 3, "userQuestion": ["no", "text"]},
        {"expression": None},
    ],
    ids=lambda arguments: ascii(arguments)[:40],
)
def test_garbage_is_refused_and_still_leaves_a_trace(
    trustee: Feature, arguments: dict[str, Any]
) -> None:
    kept: list[AgentTrace] = []
    tool = OfferedTool("trustee", "queryTable", trustee.toolbox(ACCOUNTANT))
    runtime = Runtime(features={"trustee": trustee})
    call = DirectCalls(keep=kept.append).call(runtime, ACCOUNTANT, ACME, tool, arguments)
    ran = asyncio.run(call)
    assert not ran.result.success
    assert ran.result.error
    (trace,) = kept
    assert trace.trace_id == ran.trace_id
    assert AgentTrace.model_validate_json(trace.model_dump_json(by_alias=True)) == trace


class _Slow:
    """A feature whose tools wait until they are let go."""

    def __init__(self, trustee: Feature, monkeypatch: pytest.MonkeyPatch) -> None:
        self.go, self.begun = threading.Event(), threading.Semaphore(0)
        toolbox = trustee.toolbox(ACCOUNTANT)

        def wait(box: Any, name: str, arguments: dict[str, Any], question: str = "") -> ToolResult:
            self.begun.release()
            assert self.go.wait(30)
            return ToolResult(success=True, data={"name": name})

        monkeypatch.setattr(type(toolbox), "call", wait)


def test_when_all_places_are_taken_the_next_call_is_sent_away(
    own_database: tuple[str, Any], trustee: Feature, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, keys = own_database
    slow = _Slow(trustee, monkeypatch)

    async def talk(server: Standing) -> tuple[MCPError, Any, Any]:
        async with talking(server) as one, talking(server, GLOBEX) as other:
            first = asyncio.ensure_future(one.call_tool("aggregateTable", RIGHT))
            await asyncio.to_thread(slow.begun.acquire)
            with pytest.raises(MCPError) as full:
                await other.call_tool("aggregateTable", RIGHT)
            slow.go.set()
            return full.value, await first, await other.call_tool("aggregateTable", RIGHT)

    with standing(url, trustee, keys, most_asks=1) as server:
        full, first, second = asyncio.run(talk(server))
    assert full.error.data["code"] == "OVERLOADED"
    assert "busy" in full.message.lower() or "moment" in full.message.lower()
    assert not first.is_error
    assert not second.is_error


def test_a_caller_who_goes_away_leaves_the_place_when_the_call_has_ended(
    own_database: tuple[str, Any], trustee: Feature, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, keys = own_database
    slow = _Slow(trustee, monkeypatch)

    async def leave(server: Standing) -> None:
        async with talking(server) as client:
            going = asyncio.ensure_future(client.call_tool("aggregateTable", RIGHT))
            await asyncio.to_thread(slow.begun.acquire)
            going.cancel()
            await asyncio.gather(going, return_exceptions=True)

    def taken(server: Standing) -> bool:
        with server.client() as client:
            return "veridical_asks_in_progress 1.0" in client.get("/metrics").text

    with standing(url, trustee, keys, most_asks=1) as server:
        asyncio.run(leave(server))
        assert taken(server)
        slow.go.set()
        wait_until(lambda: not taken(server))


def test_what_is_on_its_way_is_waited_for_at_the_end(
    trustee: Feature, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = _Slow(trustee, monkeypatch)
    kept: list[AgentTrace] = []
    direct = DirectCalls(keep=kept.append)
    tool = OfferedTool("trustee", "queryTable", trustee.toolbox(ACCOUNTANT))
    runtime = Runtime(features={"trustee": replace(trustee)})

    async def end() -> None:
        call = asyncio.ensure_future(direct.call(runtime, ACCOUNTANT, ACME, tool, {}))
        await asyncio.to_thread(slow.begun.acquire)
        call.cancel()
        slow.go.set()
        await direct.ended()

    asyncio.run(end())
    assert len(kept) == 1
