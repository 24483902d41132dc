"""What the owner says of the data reaches another agent: in the resource, or by one call."""

from collections.abc import Iterator
from typing import Any

import pytest
from mcp import Client

from tests.defects.mcp_orders import TABLES, open_orders, owners_words, resource, talk, text_of
from veridical.agent.settings import AgentSettings
from veridical.answering.feature import Feature
from veridical.answering.session import Session
from veridical.contracts.caller import Caller, Permissions
from veridical.contracts.language import Language
from veridical.ontology.prompt import DEFAULT_BUDGET, compile_prompt
from veridical.ontology.tokens import estimate_tokens
from veridical.tools.describe import DESCRIBE

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def orders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Feature]:
    feature = open_orders(tmp_path_factory.mktemp("orders"))
    yield feature
    feature.engine.database.close()


@pytest.mark.parametrize("budget", [400, 700, 1000])
def test_f10_words_come_before_value_lists(orders: Feature, budget: int) -> None:
    text = talk(orders, resource, prompt_tokens=budget)
    assert owners_words(TABLES[0])[0] in text
    assert "Leave out cancelled orders of" in text
    assert "_STATE_" not in text


@pytest.mark.parametrize("budget", [300, 1000, 5000])
def test_f10_the_budget_is_the_configured_one(orders: Feature, budget: int) -> None:
    text = talk(orders, resource, prompt_tokens=budget)
    assert 0.7 * budget <= estimate_tokens(text) <= budget or "_STATE_11" in text


def test_f10_with_room_everything_is_told(orders: Feature) -> None:
    text = talk(orders, resource, prompt_tokens=20_000)
    for table in TABLES:
        assert all(words in text for words in owners_words(table))
        assert f"{table.upper()}_STATE_11" in text


def test_f10_what_did_not_fit_is_named_and_one_call_away(orders: Feature) -> None:
    async def read(client: Client) -> tuple[str, dict[str, str]]:
        text = await resource(client)
        told = {
            table: text_of(await client.call_tool(DESCRIBE, {"topic": table})) for table in TABLES
        }
        return text, told

    text, described = talk(orders, read, prompt_tokens=500)
    closing = text.splitlines()[-1]
    assert DESCRIBE in closing
    for table in TABLES:
        assert all(words in described[table] for words in owners_words(table))
        assert f"{table.upper()}_STATE_11" in described[table]
        assert f"- {table} (" in text or table in closing


@pytest.mark.parametrize(
    ("topic", "words"),
    [
        ("orders_2020.state", "where the order of orders_2020 stands"),
        ("ORDERS_2021", "amount of orders_2021 before tax"),
        ("cents", "amount of orders_2018 before tax"),
        ("cancelled orders", "Leave out cancelled orders of"),
        ("", "Orders of the shop orders_2025"),
    ],
)
def test_f10_a_topic_is_a_table_a_column_or_words(orders: Feature, topic: str, words: str) -> None:
    async def read(client: Client) -> str:
        return text_of(await client.call_tool(DESCRIBE, {"topic": topic}))

    assert words in talk(orders, read)


def test_f10_what_is_not_known_is_refused_with_the_nearest(orders: Feature) -> None:
    async def read(client: Client) -> tuple[bool | None, Any]:
        told = await client.call_tool(DESCRIBE, {"topic": "oders_2019"})
        return told.is_error, told.structured_content

    failed, told = talk(orders, read)
    assert failed
    assert told["errorDetails"]["suggestion"] == "orders_2019"


def test_f10_without_the_tool_nobody_is_sent_to_it(orders: Feature) -> None:
    text = talk(orders, resource, prompt_tokens=500, may_ask=False)
    assert DESCRIBE not in text.splitlines()[-1]
    assert DESCRIBE not in compile_prompt(orders.ontology, Language.EN, 500).text


def test_f10_the_agent_has_the_tool_where_it_is_not_told_all(orders: Feature) -> None:
    short, long = (
        Session(orders, Caller(), settings=AgentSettings(prompt_tokens=budget)).toolbox.names
        for budget in (DEFAULT_BUDGET // 5, 20_000)
    )
    assert DESCRIBE in short
    assert DESCRIBE not in long


def test_f10_what_is_hidden_is_not_described(orders: Feature) -> None:
    caller = Caller(permissions=Permissions(deny=("orders_2020", "*.cents")))
    toolbox = orders.toolbox(caller)
    assert not toolbox.call(DESCRIBE, {"topic": "orders_2020"}).about
    everything = toolbox.call(DESCRIBE, {}).about or ""
    assert "orders_2021" in everything
    assert "orders_2020" not in everything
    assert "cents" not in (toolbox.call(DESCRIBE, {"topic": "orders_2021"}).about or "")


def test_f10_words_about_data_are_no_evidence(orders: Feature) -> None:
    told = orders.toolbox(Caller()).call(DESCRIBE, {"topic": "orders_2020"})
    assert told.success
    assert told.only_explains
    assert told.receipt is None
    assert told.data is None
