import asyncio
import json
from typing import Any

import pytest
from mcp.types import TextResourceContents

from tests.server.mcp.talking import MODES, talking, text_of
from tests.server.standing import ACME, GLOBEX, Standing
from veridical.contracts.facts_answer import StatedAnswer

pytestmark = pytest.mark.postgres

READ = {
    "tool": "queryTable",
    "arguments": {
        "tableName": "TrusteeDataAccountBalance",
        "fields": ["accountNumber", "closingBalance", "currency"],
        "filters": [
            {"field": "periodYear", "op": "=", "value": 2024},
            {"field": "periodMonth", "op": "=", "value": 0},
            {"field": "accountNumber", "op": "in", "value": ["1020", "1100"]},
        ],
    },
}
TOP = {"say": "top", "measure": "closingBalance", "name": "accountNumber"}
STATED: dict[str, Any] = {
    "facts": {"t": TOP},
    "answer": "The account with the highest balance is {t.row}, at {t.value}.",
    "calls": [READ],
    "question": "Which account had the highest balance at the end of 2024?",
}


def _called(server: Standing, arguments: Any, tenant: str = ACME, mode: str = "auto") -> Any:
    async def talk() -> Any:
        async with talking(server, tenant, mode=mode) as client:
            return await client.call_tool("stateFacts", arguments)

    return asyncio.run(talk())


def _stated(told: Any) -> StatedAnswer:
    data = {**told.structured_content["data"]}
    data.pop("failedCalls", None)
    return StatedAnswer.model_validate(data)


@pytest.mark.parametrize("mode", MODES)
def test_facts_over_the_callers_own_calls_are_said(server: Standing, mode: str) -> None:
    told = _called(server, STATED, mode=mode)
    assert not told.is_error, text_of(told)
    stated = _stated(told)
    fact = stated.facts["t"]
    assert stated.text.startswith("The account with the highest balance is 1")
    assert fact.form == "top"
    assert fact.claim["result"] == "r1"
    assert {each.column for each in fact.cells} >= {"closingBalance"}
    assert [each.state for each in stated.sentences] == ["proven"]
    read = json.loads(text_of(told))["data"]
    assert read["text"] == stated.text
    assert read["exact"] == {"t": fact.sentence}
    assert "cells" not in text_of(told)


def test_everybody_states_facts_over_their_own_rows(server: Standing) -> None:
    own, other = (_stated(_called(server, STATED, tenant)) for tenant in (ACME, GLOBEX))
    assert own.text != other.text


def test_what_was_typed_goes_back_with_what_to_write(server: Standing) -> None:
    told = _called(server, {**STATED, "answer": "It was 5,000, the highest: {t.nothing}."})
    assert told.is_error
    stated = _stated(told)
    assert not stated.accepted
    assert stated.text == ""
    assert {each.code for each in stated.refused} == {"figure", "slot"}
    assert "5,000" in text_of(told)
    assert told.structured_content["errorDetails"]["code"] == "FACTS_REFUSED"


def test_a_fact_over_a_call_that_failed_is_refused(server: Standing) -> None:
    failing = {"tool": "queryTable", "arguments": {"tableName": "NoSuchTable"}}
    calls = [failing, READ]
    told = _called(server, {**STATED, "facts": {"t": {**TOP, "from": "r1"}}, "calls": calls})
    assert told.is_error
    assert [each.reason for each in _stated(told).refused] == ["noResult"]
    assert told.structured_content["data"]["failedCalls"][0]["tool"] == "queryTable"
    told = _called(server, {**STATED, "facts": {"t": {**TOP, "from": "r2"}}, "calls": calls})
    assert not told.is_error


def test_the_whole_instruction_is_a_resource_and_a_call_away(server: Standing) -> None:
    async def talk() -> tuple[Any, Any]:
        async with talking(server) as client:
            resource = (await client.read_resource("veridical://facts")).contents[0]
            return resource, await client.call_tool("stateFacts", {})

    resource, told = asyncio.run(talk())
    assert isinstance(resource, TextResourceContents)
    assert "Forms" in resource.text
    assert told.structured_content["about"] == resource.text


DEEP = json.loads('{"a":' * 60 + "{}" + "}" * 60)


@pytest.mark.parametrize(
    "wrong",
    [
        {"facts": None},
        {"facts": []},
        {"facts": {"t": "top"}},
        {"facts": {"t": {"say": "DROP TABLE"}}},
        {"facts": {"t": {"say": "top", "measure": "__class__"}}},
        {"facts": {"t": {"say": "top", "measure": "closingBalance", "where": "(" * 3_000}}},
        {"facts": {"t": {"say": "top", "measure": "-" * 3_000 + "closingBalance"}}},
        {"facts": {f"f{at}": {"say": "top", "measure": "closingBalance"} for at in range(500)}},
        {"facts": {"t": DEEP}},
        {"facts": {"t\x00": {"say": "top"}}},
        {"facts": {"t": {"say": "x" * 200_000}}},
        {"answer": ""},
        {"answer": 5},
        {"answer": "{t.row.__class__} {t.value!r} {0}"},
        {"answer": "{t.value:zz}"},
        {"answer": "x" * 20_000},
        {"labels": {"r1.closingBalance": 5}},
        {"calls": []},
        {"calls": [READ] * 21},
        {"calls": [{"tool": "stateFacts", "arguments": {}}]},
        {"calls": [{"tool": "calculate", "arguments": {"expression": "2 * 21"}}]},
        {"calls": "queryTable"},
        {"question": ["no", "text"]},
        {"tenant": "globex"},
    ],
    ids=lambda wrong: ascii(wrong)[:50],
)
def test_garbage_is_refused_in_words(server: Standing, wrong: dict[str, Any]) -> None:
    told = _called(server, {**STATED, **wrong})
    assert told.is_error
    assert told.structured_content["errorDetails"]["hint"]
    assert "Traceback" not in text_of(told)
