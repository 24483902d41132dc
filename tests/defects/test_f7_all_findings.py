"""Whoever asks hears all violations and all warnings: through adapters, clients and protocols."""

import asyncio
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client as McpProgram
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

import veridical
from tests.defects.mcp_orders import open_orders, talk, text_of
from veridical.agent.results import as_source
from veridical.answering.feature import Feature
from veridical.check.verdict import as_result
from veridical.contracts.caller import Caller
from veridical.contracts.violation import Code, Mode

pytestmark = pytest.mark.slow

ADAPTERS = Path(__file__).parents[2] / "examples" / "adapters"
TWO_WRONG = "SELECT unitss FROM stock WHERE shopp = 'Harbour'"
UNORDERED = "SELECT month, units FROM stock WHERE shop = 'Harbour' LIMIT 2"
READ = "SELECT units FROM stock WHERE shop = 'Harbour' AND month = '2026-03'"
RIGHT = "Harbour had 134 units in stock at the end of March 2026."


@pytest.fixture(scope="module")
def client() -> Iterator[veridical.Client]:
    with veridical.open(settings=ADAPTERS / "veridical.toml") as opened:
        yield opened


@pytest.fixture(scope="module")
def orders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Feature]:
    feature = open_orders(tmp_path_factory.mktemp("orders"))
    yield feature
    feature.engine.database.close()


def test_f7_a_refusal_tells_all_that_was_found(client: veridical.Client) -> None:
    refused = client.check(f"{TWO_WRONG} LIMIT 2")
    assert not refused
    assert isinstance(refused, veridical.Refusal)
    lines = refused.feedback.splitlines()
    assert len(lines) == len(refused.violations) + len(refused.warnings) >= 2
    for each in (*refused.violations, *refused.warnings):
        assert any(each.code in line and each.hint in line for line in lines)


def test_f7_a_query_that_runs_tells_its_warnings(client: veridical.Client) -> None:
    checked = client.check(UNORDERED)
    assert checked
    assert Code.UNORDERED_LIMIT in checked.feedback
    assert Mode.WARN in checked.feedback
    assert client.run(checked).warnings == checked.warnings
    assert client.check(READ).feedback == ""


@pytest.fixture
def loop() -> Iterator[None]:
    """The loop that ``run_sync`` of Pydantic AI would leave open."""
    made = asyncio.new_event_loop()
    asyncio.set_event_loop(made)
    yield
    asyncio.set_event_loop(None)
    made.close()


@pytest.mark.usefixtures("loop")
def test_f7_a_model_behind_an_adapter_hears_everything(
    client: veridical.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = [TWO_WRONG, UNORDERED, READ]
    heard: list[str] = []

    def reply(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        del info
        heard.extend(str(part) for part in messages[-1].parts)
        if script:
            return ModelResponse([ToolCallPart("query", {"sql": script.pop(0)})])
        return ModelResponse([TextPart(RIGHT)])

    monkeypatch.syspath_prepend(ADAPTERS)
    adapter = runpy.run_path(str(ADAPTERS / "pydantic_ai_agent.py"))
    question = "How many units did Harbour have in stock at the end of March 2026?"
    asked = adapter["CheckedQuestion"](question, client)
    assert adapter["answer"](asked, FunctionModel(reply)) == RIGHT
    told = "\n".join(heard)
    for wanted in ("unitss", "shopp", Code.UNORDERED_LIMIT):
        assert wanted in told


@pytest.mark.parametrize("file", sorted(ADAPTERS.glob("*.py")), ids=lambda file: file.stem)
def test_f7_no_adapter_tells_the_first_alone(file: Path) -> None:
    """Those whose framework is not installed here are run by tests/release."""
    text = file.read_text("utf-8")
    assert "verdict.error" not in text
    assert ("verdict.feedback" in text) is ("client.check(" in text)


def test_f7_over_mcp_all_of_it_is_in_the_text(orders: Feature) -> None:
    async def call(program: McpProgram) -> tuple[str, str]:
        wrong = {"sql": "SELECT nope, nada FROM orders_2025"}
        loose = {"sql": "SELECT id FROM orders_2025 WHERE state = 'ORDERS_2025_STATE_1' LIMIT 2"}
        return (
            text_of(await program.call_tool("executeSqlSafe", wrong)),
            text_of(await program.call_tool("executeSqlSafe", loose)),
        )

    wrong, loose = talk(orders, call)
    assert "nope" in wrong
    assert "nada" in wrong
    assert Code.UNORDERED_LIMIT in loose


def test_f7_an_answer_carries_the_warnings_of_its_calls(orders: Feature) -> None:
    sql = "SELECT id FROM orders_2025 WHERE state = 'ORDERS_2025_STATE_1' LIMIT 2"
    arguments: dict[str, Any] = {"sql": sql}
    caller = Caller(scope=veridical.Scope(shared=frozenset({"*"})))
    result = orders.toolbox(caller).call("executeSqlSafe", arguments)
    source = as_source("executeSqlSafe", arguments, result)
    assert source is not None
    assert [each.code for each in source.warnings] == [each.code for each in result.warnings]
    assert source.warnings
    told = source.model_dump(mode="json", by_alias=True)
    assert told["warnings"][0]["code"] == result.warnings[0].code


def test_f7_the_verdict_over_http_has_all_of_it(client: veridical.Client) -> None:
    told = as_result(client.check(TWO_WRONG))
    assert told.error_details is not None
    assert len(told.error_details["others"]) >= 1
    assert as_result(client.check(UNORDERED)).warnings


def test_f7_the_async_client_gives_the_same() -> None:
    async def run() -> tuple[Any, ...]:
        async with veridical.open(settings=ADAPTERS / "veridical.toml") as opened:
            checked = opened.check(UNORDERED)
            assert checked
            return (await opened.run(checked)).warnings

    assert asyncio.run(run())
