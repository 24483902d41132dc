"""What leads an answer: the figures of each fact with their names, values and units."""

from typing import Any

from tests.facts.shops import EVIDENCE
from veridical.contracts.facts_answer import ShownFact
from veridical.contracts.language import Language
from veridical.evidence.read import read_tables
from veridical.facts.answer import state_answer

TABLES = read_tables(EVIDENCE)


def _shown(say: dict[str, Any], language: Language = Language.EN, **evidence: Any) -> ShownFact:
    tables = read_tables(evidence["rows"]) if evidence else TABLES
    raw = {"facts": {"f1": say}, "answer": "{table:f1}" if say["say"] == "table" else "{f1}"}
    stated = state_answer(raw, tables, "", language)
    assert stated.accepted, stated.refused
    return stated.shown["f1"]


def test_one_value_has_its_row_and_its_unit() -> None:
    shown = _shown({"say": "value", "from": "r1", "measures": ["revenue_eur"], "rows": ["North"]})
    assert shown.names == ("North",)
    (column,) = shown.columns
    assert (column.texts, column.values, column.units) == (("€1,200.50",), (1200.5,), ("EUR",))


def test_a_share_is_in_percent_and_a_count_has_no_unit() -> None:
    share = _shown(
        {"say": "share", "from": "r1", "part": "sum(orders)", "whole": "sum(orders)"}
    ).columns[0]
    assert (share.values, share.units) == ((100.0,), ("%",))
    count = _shown({"say": "count", "from": "r1", "where": "orders > 20"}).columns[0]
    assert (count.texts, count.values, count.units) == (("3",), (3.0,), ())


def test_a_series_has_its_times_in_order() -> None:
    shown = _shown({"say": "change", "from": "r3", "measure": "stock", "over": "month"})
    assert shown.over_time
    assert shown.names == ("January 2025", "February 2025", "March 2025")
    assert shown.columns[0].values == (100.0, 80.0, 120.0)
    assert "20%" in shown.figures


def test_the_rows_of_a_table_have_their_names_beside_its_columns() -> None:
    shown = _shown({"say": "table", "from": "r1", "columns": ["region", "shop", "orders"]})
    assert shown.names[:2] == ("North", "South")
    region, shop, orders = shown.columns
    assert (shop.label, shop.texts) == ("Shop", shown.names)
    assert region.values == ()
    assert orders.values[:2] == (40.0, 25.0)


def test_two_values_that_are_compared_are_two_rows() -> None:
    compared = {"say": "compare", "from": "r1", "rows": ["North", "South"], "measures": ["orders"]}
    shown = _shown(compared)
    assert shown.names == ("North", "South")
    assert shown.columns[0].values == (40.0, 25.0)


def test_each_row_keeps_its_currency() -> None:
    rows = [
        {"account": "A", "currency": "CHF", "amount": 10.5},
        {"account": "B", "currency": "USD", "amount": 20.25},
    ]
    shown = _shown(
        {"say": "table", "from": "r1", "columns": ["account", "amount"]}, Language.DE, rows=rows
    )
    assert shown.columns[1].units == ("CHF", "USD")


def test_what_has_no_figure_shows_none() -> None:
    missing = _shown({"say": "missing", "from": "r1"}, rows=[{"shop": None, "orders": None}])
    assert missing.columns == ()


def test_of_many_rows_the_first_are_shown_and_the_others_counted() -> None:
    rows = [{"depot": f"D{at}", "stock": at} for at in range(1, 301)]
    shown = _shown({"say": "table", "from": "r1", "columns": ["depot", "stock"]}, rows=rows)
    assert (len(shown.names), shown.left_out) == (200, 100)
