"""A database of orders whose owner says much of it, and a real MCP client that talks to it."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

from mcp import Client
from mcp.types import CallToolResult, TextContent, TextResourceContents

from veridical.agent.settings import AgentSettings
from veridical.answering.feature import Feature, open_feature
from veridical.answering.session import Emit
from veridical.contracts.answer import Answer, AnswerKind
from veridical.contracts.caller import WHOLE, Caller, Scope
from veridical.contracts.language import Language
from veridical.contracts.question import Question
from veridical.engines.sqlite import connect
from veridical.host.runtime import Runtime
from veridical.ontology.compile import schema_of
from veridical.ontology.load import load_ontology
from veridical.ontology.pack import Pack
from veridical.server.mcp.client import McpClient
from veridical.server.mcp.server import mcp_server

Found = TypeVar("Found")
TABLES = tuple(f"orders_{year}" for year in range(2018, 2026))
OWNER = Caller(scope=Scope(shared=WHOLE))


def _table(name: str) -> str:
    return f"""
- name: {name}
  table: {name}
  semanticType: TRANSACTION
  description: Orders of the shop {name}, one row per order.
  invariants: [Rows of {name} with state X were cancelled and never count.]
  keys: [[id]]
  fields:
  - {{name: id, type: integer, role: KEY}}
  - {{name: state, type: text, description: where the order of {name} stands}}
  - {{name: placed, type: text, role: TIME, encoding: ISO_TEXT}}
  - {{name: cents, type: integer, role: MEASURE, description: amount of {name} before tax}}"""


def _rules(name: str) -> str:
    values = ", ".join(f"{name.upper()}_STATE_{number}" for number in range(12))
    return f"""
- appliesTo: {name}
  rule: REQUIRES_FILTER_ON
  fields: [state]
  message: Leave out cancelled orders of {name}
- appliesTo: {name}.placed
  rule: REQUIRES_FILTER_ON
  fields: [placed]
  message: Orders of {name} are read for a period
  warns: true
- {{appliesTo: {name}.state, rule: ALLOWED_VALUES, values: [{values}]}}"""


ONTOLOGY = (
    "featureCode: orders\ndescription: All orders of the shop.\nentities:"
    + "".join(map(_table, TABLES))
    + "\nconstraints:"
    + "".join(map(_rules, TABLES))
)


def owners_words(table: str) -> tuple[str, ...]:
    """What the owner says of one table."""
    return (
        f"Orders of the shop {table}, one row per order",
        f"Rows of {table} with state X were cancelled and never count",
        f"where the order of {table} stands",
        f"amount of {table} before tax",
        f"Leave out cancelled orders of {table}",
    )


def open_orders(folder: Path) -> Feature:
    """The feature, in a database of its own in this folder."""
    file = folder / "orders.sqlite"
    with sqlite3.connect(file) as connection:
        for table in TABLES:
            connection.execute(f"CREATE TABLE {table} (id, state, placed, cents)")
            connection.execute(f"INSERT INTO {table} VALUES (1, 'S1', '2025-01-02', 1250)")
    connection.close()
    written = folder / "ontology.yaml"
    written.write_text(ONTOLOGY, "utf-8")
    ontology = load_ontology(str(written))
    pack = Pack("orders", ontology, schema_of(ontology), shared_tables=WHOLE)
    return open_feature(pack, connect(str(file), None, 2))


async def _no_answer(question: Question, listen: Emit) -> Answer:
    del listen
    return Answer(
        kind=AnswerKind.AGENT, text=f"Asked: {question.text}", language=Language.EN, trace_id="t"
    )


def talk(
    feature: Feature | dict[str, Feature],
    say: Callable[[Client], Awaitable[Found]],
    *,
    may_ask: bool = True,
    **settings: Any,
) -> Found:
    """What came of a conversation with a server of these features."""
    features = feature if isinstance(feature, dict) else {feature.name: feature}
    runtime = Runtime(features=features, settings=AgentSettings(**settings))
    visitor = McpClient(dict.fromkeys(features, OWNER), Language.EN, _no_answer, may_ask=may_ask)
    server = mcp_server(lambda: runtime, lambda context: visitor, Language.EN)

    async def conversation() -> Found:
        async with Client(server) as client:
            return await say(client)

    return asyncio.run(conversation())


async def resource(client: Client, query: str = "") -> str:
    """The text of the one ontology that there is."""
    (found,) = [
        each for each in (await client.list_resources()).resources if "/ontology/" in str(each.uri)
    ]
    (content,) = (await client.read_resource(f"{found.uri}{query}")).contents
    assert isinstance(content, TextResourceContents)
    return content.text


def text_of(result: CallToolResult) -> str:
    """What a model reads of a result."""
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text
