"""Tools of packs and embedding programs: offered like the built-in ones, and evidence."""

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest
from mcp import Client

from tests.agent.people import denying
from tests.tools.rates import RATE, TENANT, open_shop, shop, shop_pack
from veridical.answering.feature import Feature
from veridical.answering.flow import answer
from veridical.answering.session import Session
from veridical.check.checker import Checker
from veridical.contracts.answer import Answer, AnswerKind
from veridical.contracts.caller import Caller, Scope
from veridical.contracts.language import Language
from veridical.contracts.person import Approvals
from veridical.contracts.question import Question
from veridical.contracts.result import Receipt, ToolResult
from veridical.contracts.tool import Arguments, OutsideTool, ToolContext, found_rows
from veridical.gate.proof_marks import SIGN
from veridical.host.runtime import Runtime
from veridical.ontology.catalog import Catalog
from veridical.server.mcp.client import McpClient
from veridical.server.mcp.server import mcp_server
from veridical.testing.script import Line, Script
from veridical.tools.registry import QUERY_FEATURE, TOOL_NAMES, ToolNameError
from veridical.tools.toolbox import Toolbox, names_of_call

pytestmark = pytest.mark.slow

__all__ = ["shop"]

RATE_CALL = ("exchangeRate", {"currency": "EUR", "day": "2026-01-05"})
SELECT = ("executeSqlSafe", {"sql": "SELECT amount FROM invoice WHERE customer = 'Acme'"})


def ask(feature: Feature, text: str, *lines: Line) -> Answer:
    session = Session(feature, Caller(), Script(lines).model, regenerations=0)
    return asyncio.run(answer(Question(text=text), session))


def toolbox(*tools: OutsideTool) -> Toolbox:
    return Toolbox(Checker(Catalog()), tools=tools)


def giving(result: ToolResult) -> OutsideTool:
    """The rates' tool, with this in place of what it finds."""

    def run(asked: Any, context: ToolContext) -> ToolResult:
        return result

    return replace(RATE, run=run)


def test_a_tool_of_a_pack_and_one_of_the_host_come_after_the_built_in_ones(shop: Feature) -> None:
    names = shop.toolbox(Caller()).names
    assert names[-3:] == ("exchangeRate", "convert", "searchHandbook")
    assert set(names[:-3]) <= set(TOOL_NAMES)


def test_a_schema_follows_from_the_type_and_speaks_the_callers_language() -> None:
    german = replace(toolbox(RATE), caller=Caller(language=Language.DE))
    function = german.schemas()[-1]["function"]
    assert function["description"].startswith("Kurse einer Währung in Franken. Bei success=false")
    assert function["parameters"] == {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "currency": {"type": "string", "description": "ISO code"},
            "day": {
                "anyOf": [{"type": "string", "format": "date"}, {"type": "null"}],
                "default": None,
                "description": "one day; all where it is left out",
            },
        },
        "required": ["currency"],
    }


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({}, "currency"),
        ("EUR", None),
        ({"curency": "EUR"}, "currency"),
        ({"currency": "EUR", "day": "soon"}, "day"),
        ({"currency": "XXX"}, "currency"),
    ],
)
def test_bad_arguments_are_refused_in_words(arguments: Any, field: str | None) -> None:
    result = toolbox(RATE).call("exchangeRate", arguments)
    assert not result.success
    assert result.error_details is not None
    assert result.error_details["field"] == field
    assert result.error_details["hint"]


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    details = toolbox(RATE).call("exchangeRates", {}).error_details
    assert details is not None
    assert details["suggestion"] == "exchangeRate"


def test_rows_get_the_hosts_receipt_and_plain_values() -> None:
    result = toolbox(RATE).call(*RATE_CALL)
    assert result.data == {
        "columns": ["currency", "day", "rate"],
        "rows": [["EUR", "2026-01-05", 0.9412]],
    }
    assert result.receipt is not None
    assert result.receipt.row_count == 1
    assert result.receipt.held == {"currency": "EUR", "day": "2026-01-05"}
    assert result.receipt.sql == 'exchangeRate({"currency": "EUR", "day": "2026-01-05"})'


def test_no_rows_are_told_as_no_match_and_many_are_cut() -> None:
    none = toolbox(RATE).call("exchangeRate", {"currency": "EUR", "day": "2020-01-01"}).receipt
    assert none is not None
    assert none.emptiness == "NO_MATCH"
    many = found_rows(("n",), [(n,) for n in range(1500)])
    result = toolbox(giving(many)).call(*RATE_CALL)
    assert result.receipt is not None
    assert result.receipt.truncated
    assert len(result.data["rows"]) == 1000


def test_a_tool_cannot_write_its_own_receipt() -> None:
    forged = Receipt(
        call_id="x", query_hash="", ontology_hash="", sql="SELECT", row_count=1, truncated=False,
        elapsed_ms=0,
    )  # fmt: skip
    told = ToolResult(success=True, data={"rate": 0.9}, receipt=forged, answer="It is 0.9.")
    result = toolbox(giving(told)).call(*RATE_CALL)
    assert result.data == {"rate": 0.9}
    assert result.receipt is None
    assert result.answer is None


@pytest.mark.parametrize(
    "result",
    [
        found_rows(("a", "b"), [(1,)]),
        found_rows(("a", "a"), [(1, 2)]),
        ToolResult(success=True, data={"columns": [1], "rows": [[1]]}),
    ],
)
def test_rows_that_are_no_table_are_a_defect_of_the_tool(result: ToolResult) -> None:
    with pytest.raises(TypeError, match="exchangeRate"):
        toolbox(giving(result)).call(*RATE_CALL)


def test_a_check_that_runs_the_call_is_a_defect_of_the_tool() -> None:
    """It would be made before anybody could be asked to approve it."""

    def ran(arguments: Arguments, context: ToolContext) -> ToolResult:
        return ToolResult(success=True)

    hasty = replace(RATE, check=ran)
    with pytest.raises(TypeError, match="exchangeRate"):
        toolbox(hasty).call(*RATE_CALL)


@pytest.mark.parametrize("name", [*TOOL_NAMES, QUERY_FEATURE, "finalAnswer", "showResult"])
def test_a_name_of_veridicals_own_is_refused(name: str, tmp_path: Any) -> None:
    with pytest.raises(ToolNameError, match=name):
        toolbox(replace(RATE, name=name))
    with pytest.raises(ToolNameError, match=name):
        open_shop(tmp_path / "shop.duckdb", shop_pack(replace(RATE, name=name)))


def test_a_name_twice_or_out_of_form_is_refused(tmp_path: Any) -> None:
    with pytest.raises(ToolNameError, match="Two tools are called exchangeRate") as found:
        open_shop(tmp_path / "shop.duckdb", shop_pack(RATE), RATE)
    assert "Zwei Werkzeuge heissen exchangeRate" in found.value.message(Language.DE)
    for name in ("", "1st", "exchange-rate", "wechsel kurs", "x" * 65):
        with pytest.raises(ToolNameError):
            toolbox(replace(RATE, name=name))


def test_a_tool_may_be_there_for_some_callers_only() -> None:
    tenant = Caller(Scope({"tenant": ("m-001",)}))
    assert "whoAmI" not in toolbox(TENANT).names
    own = replace(toolbox(TENANT), caller=tenant)
    assert own.call("whoAmI", {}).data["rows"] == [["m-001"]]


def test_what_a_call_reads_is_named_before_it_runs() -> None:
    box = toolbox(RATE)
    assert names_of_call(box, *RATE_CALL) == ("exchangeRate", "rates.EUR")
    assert names_of_call(box, "exchangeRate", {}) is None


def test_its_rows_prove_the_answer(shop: Feature) -> None:
    text = "What was the exchange rate of EUR on 2026-01-05?"
    given = ask(shop, text, [RATE_CALL], "On 2026-01-05 the rate of EUR was 0.9412.")
    assert given.kind is AnswerKind.AGENT
    assert given.text == "On 2026-01-05 the rate of EUR was 0.9412."
    assert given.proof is not None
    assert [source.tool for source in given.sources] == ["exchangeRate"]
    grounds = {claim.text: claim.binding for claim in given.proof.claims}
    rate = grounds["0.9412"]
    assert rate is not None
    assert (rate.column, rate.value) == ("rate", 0.9412)


def test_a_figure_that_is_in_no_row_is_marked(shop: Feature) -> None:
    text = "What was the exchange rate of EUR on 2026-01-05?"
    given = ask(shop, text, [RATE_CALL], "On 2026-01-05 the rate of EUR was 0.9655.")
    assert f"0.9655{SIGN}" in given.text


def test_what_proves_nothing_is_no_evidence(shop: Feature) -> None:
    """Data in another shape is shown to the model, and has no receipt."""
    told = ToolResult(success=True, data={"rate": 0.9412})
    feature = replace(shop, tools=(giving(told),))
    given = ask(feature, "Rate of EUR?", [RATE_CALL], "The rate of EUR was 0.9412.")
    assert given.sources == ()
    assert "0.9412" not in given.text


def test_a_figure_made_of_what_only_the_model_wrote_proves_nothing(shop: Feature) -> None:
    call = ("convert", {"amount": 48_750, "currency": "EUR"})
    made_up = ask(shop, "What do we owe in francs?", [call], "You owe CHF 45883.50.")
    assert made_up.kind is AnswerKind.UNKNOWN
    echoed = ask(shop, "What do we owe?", [call], "You owe 48750.")
    assert echoed.kind is AnswerKind.UNKNOWN


def test_a_figure_made_of_a_named_number_proves(shop: Feature) -> None:
    call = ("convert", {"amount": 48_750, "currency": "EUR"})
    said = ask(shop, "What are 48750 EUR in francs?", [call], "48750 EUR are CHF 45883.50.")
    assert said.text == "48750 EUR are CHF 45883.50."
    chained = ("convert", {"amount": 1250.5, "currency": "EUR"})
    read = ask(shop, "What does Acme owe in francs?", [SELECT], [chained], "Acme owes CHF 1176.97.")
    assert read.text == "Acme owes CHF 1176.97."


def test_passages_prove_what_they_say(shop: Feature) -> None:
    call = ("searchHandbook", {"word": "delivered"})
    text = "How long do orders from Bern take?"
    right = ask(shop, text, [call], "Orders from Bern are delivered within 12 days.")
    assert right.text == "Orders from Bern are delivered within 12 days."
    wrong = ask(shop, text, [call], "Orders from Bern are delivered within 17 days.")
    assert f"17 days{SIGN}" in wrong.text


def test_a_person_may_have_to_approve_it(shop: Feature) -> None:
    person = denying()
    session = Session(
        shop,
        Caller(),
        Script([[RATE_CALL], "I can't say."]).model,
        ask=person.ask,
        approvals=Approvals(calls=("rates.*",)),
    )
    given = asyncio.run(answer(Question(text="What was the rate of EUR?"), session))
    assert [needed.subject["reads"] for needed in person.asked] == [["rates.EUR"]]
    assert given.sources == ()


def test_it_is_offered_and_called_over_mcp(shop: Feature) -> None:
    async def never(*_: Any) -> Answer:
        raise AssertionError("no question was asked")

    runtime = Runtime(features={"shop": shop})
    client = McpClient({"shop": Caller()}, Language.EN, never)

    async def talk() -> tuple[Any, Any, Any]:
        server = mcp_server(lambda: runtime, lambda context: client, Language.EN)
        async with Client(server) as caller:
            tools = {tool.name: tool for tool in (await caller.list_tools()).tools}
            ran = await caller.call_tool(*RATE_CALL)
            return tools, ran, await caller.call_tool("exchangeRate", {"currency": "XXX"})

    tools, ran, refused = asyncio.run(talk())
    assert tools["exchangeRate"].description.startswith("Rates of a currency in francs.")
    assert set(tools["exchangeRate"].input_schema["properties"]) == {
        "currency",
        "day",
        "userQuestion",
    }
    assert ran.structured_content["data"]["rows"] == [["EUR", "2026-01-05", 0.9412]]
    assert ran.structured_content["receipt"]["rowCount"] == 1
    assert json.loads(ran.content[0].text)["success"]
    assert refused.is_error
    assert refused.structured_content["errorDetails"]["field"] == "currency"
