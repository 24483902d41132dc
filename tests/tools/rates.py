"""Tools from outside the package, as a pack or an embedding program would bring them."""

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path

import duckdb
import pytest

from veridical.answering.feature import Feature, open_feature
from veridical.contracts.language import Language
from veridical.contracts.result import ToolResult, refused
from veridical.contracts.schema import Schema
from veridical.contracts.tool import OutsideTool, ToolContext, found_rows
from veridical.contracts.violation import malformed
from veridical.contracts.wire import Wire
from veridical.engines.duckdb import open_duckdb
from veridical.ontology.model import OntologyDescriptor
from veridical.ontology.pack import Pack
from veridical.tools.define import define_tool

RATES = {
    ("EUR", date(2026, 1, 5)): Decimal("0.9412"),
    ("EUR", date(2026, 1, 6)): Decimal("0.9387"),
    ("USD", date(2026, 1, 5)): Decimal("0.8035"),
}
HANDBOOK = {
    "Delivery": "Orders from Bern are delivered within 12 days. Express orders take 3 days.",
    "Returns": "Shoes can be returned for 45 days.",
}


class RateArguments(Wire):
    """Of which currency, and for one day or all of them."""

    currency: str
    day: date | None = None


class ConvertArguments(Wire):
    """An amount in another currency."""

    amount: float
    currency: str


class SearchArguments(Wire):
    """A word of a passage."""

    word: str


def _rates(asked: RateArguments, context: ToolContext) -> ToolResult:
    known = sorted({currency for currency, _ in RATES})
    if asked.currency not in known:
        return refused(malformed("currency", f"Known currencies: {', '.join(known)}."))
    rows = [
        (currency, day, rate)
        for (currency, day), rate in RATES.items()
        if currency == asked.currency and asked.day in (None, day)
    ]
    return found_rows(("currency", "day", "rate"), rows)


def _converted(asked: ConvertArguments, context: ToolContext) -> ToolResult:
    rate = RATES[asked.currency, date(2026, 1, 5)]
    francs = round(asked.amount * float(rate), 2)
    return found_rows(("value", "currency"), [(asked.amount, asked.currency), (francs, "CHF")])


def _passages(asked: SearchArguments, context: ToolContext) -> ToolResult:
    rows = [each for each in HANDBOOK.items() if asked.word.casefold() in each[1].casefold()]
    return found_rows(("chapter", "text"), rows)


def _tenant(asked: Wire, context: ToolContext) -> ToolResult:
    return found_rows(("tenant",), [(context.caller.tenant,)])


RATE: OutsideTool = define_tool(
    "exchangeRate",
    {
        Language.DE: "Kurse einer Währung in Franken.",
        Language.EN: "Rates of a currency in francs.",
    },
    RateArguments,
    _rates,
    argument_texts={"currency": "ISO code", "day": "one day; all where it is left out"},
    reads=lambda asked: (f"rates.{asked.currency}",),
)
CONVERT: OutsideTool = define_tool("convert", "Converts.", ConvertArguments, _converted)
SEARCH: OutsideTool = define_tool(
    "searchHandbook", "Finds passages.", SearchArguments, _passages, passages=("text",)
)
TENANT: OutsideTool = define_tool(
    "whoAmI", "Names the tenant.", Wire, _tenant, available=lambda each: bool(each.caller.tenant)
)


def shop_pack(*tools: OutsideTool) -> Pack:
    """A pack without an ontology, with these tools."""
    return Pack(
        "shop",
        OntologyDescriptor(feature_code="shop"),
        Schema({}),
        shared_tables=frozenset({"invoice"}),
        tools=tools,
    )


def open_shop(path: Path, pack: Pack, *tools: OutsideTool) -> Feature:
    """A feature on a database with two invoices, with the tools of its pack and of its host."""
    with duckdb.connect(str(path)) as connection:
        connection.execute(
            "CREATE TABLE invoice (customer VARCHAR, currency VARCHAR, amount DOUBLE);"
            "INSERT INTO invoice VALUES ('Acme', 'EUR', 1250.5), ('Bolt', 'USD', 730.25)"
        )
    return open_feature(pack, open_duckdb(path), without_ontology=True, tools=tools)


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Feature]:
    """The pack brings the rates; the embedding program brings all others."""
    feature = open_shop(tmp_path / "shop.duckdb", shop_pack(RATE), CONVERT, SEARCH, TENANT)
    yield feature
    feature.engine.database.close()
