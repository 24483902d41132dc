"""Evidence of any shape becomes typed tables."""

import json

import pytest

from veridical.evidence.column import Additivity, CellKind
from veridical.evidence.dimension import Quantity
from veridical.evidence.read import read_tables

ROWS = [{"shop": "Harbour", "revenue_eur": 10.5}, {"shop": "Station", "revenue_eur": 20.0}]


@pytest.mark.parametrize(
    "evidence",
    [
        ROWS,
        {"columns": ["shop", "revenue_eur"], "rows": [["Harbour", 10.5], ["Station", 20.0]]},
        json.dumps(ROWS),
        "shop,revenue_eur\nHarbour,10.5\nStation,20.0",
        "| shop | revenue_eur |\n|---|---|\n| Harbour | 10.5 |\n| Station | 20.0 |",
        [{"role": "tool", "content": json.dumps(ROWS)}],
        {"data": ROWS},
    ],
)
def test_the_same_rows_in_any_shape(evidence: object) -> None:
    (table,) = read_tables(evidence)
    assert [column.name for column in table.columns] == ["shop", "revenue_eur"]
    assert table.rows == (("Harbour", 10.5), ("Station", 20.0))
    money = table.columns[1].dimension
    assert money is not None
    assert (money.quantity, money.unit) == (Quantity.MONEY, "EUR")


def test_results_keep_their_calls() -> None:
    result = {"tool": "sales", "arguments": {"year": 2025}, "columns": ["n"], "rows": [[1]]}
    first, second = read_tables([result, {**result, "rows": [], "total_rows": 7}])
    assert first.held == {"year": 2025}
    assert second.truncated
    assert second.row_count == 7


def test_lists_within_a_record_are_tables_of_their_own() -> None:
    record = {"id": "A-1", "fee": {"amount": 5, "currency": "CHF"}, "steps": [{"n": 1}, {"n": 2}]}
    head, steps = read_tables(record)
    assert [column.name for column in head.columns] == ["id", "fee.amount", "fee.currency"]
    fee = head.columns[1].dimension
    assert fee is not None
    assert fee.unit == "CHF"
    assert (steps.title, len(steps.rows)) == ("steps", 2)


def test_rows_that_sum_up_the_others_are_none_of_them() -> None:
    rows = [*ROWS, {"shop": "Total", "revenue_eur": 30.5}]
    (table,) = read_tables(rows)
    assert table.members == (0, 1)


@pytest.mark.parametrize(
    ("name", "cells", "kind", "unit", "factor"),
    [
        ("budget_k_usd", [1, 2], CellKind.FIGURE, "USD", 1000.0),
        ("Rechnung_2024_TCHF", ["18'412", "11'875"], CellKind.FIGURE, "CHF", 1000.0),
        ("保费收入_万元", [86420, 42180], CellKind.FIGURE, "CNY", 10_000.0),
        ("delay_min", [3, 4], CellKind.FIGURE, "", 60.0),
        ("on_time_pct", [94.8, 91.3], CellKind.FIGURE, "", 0.01),
        ("Frauenanteil", ["0.231", "0.187"], CellKind.FIGURE, "", 1.0),
        ("opened_at", [1762329600, 1762342200], CellKind.MOMENT, "", 1.0),
        ("month", ["Jan 2023", "Feb 2023"], CellKind.PERIOD, "", 1.0),
        ("postcode", [3011, 4051], CellKind.CODE, "", 1.0),
        ("m", ["01", "02"], CellKind.CODE, "", 1.0),
        ("amount", ["12345678901234567.89"], CellKind.NAME, "", 1.0),
    ],
)
def test_names_and_values_tell_the_type(
    name: str, cells: list[object], kind: CellKind, unit: str, factor: float
) -> None:
    (table,) = read_tables([{name: cell} for cell in cells])
    column = table.columns[0]
    assert column.kind is kind
    if column.dimension is not None:
        assert (column.dimension.unit, column.dimension.factor) == (unit, factor)


def test_rates_never_add_up_and_stocks_not_over_time() -> None:
    (table,) = read_tables([{"avg_rating": 4.5, "headcount": 3, "orders": 2}])
    assert [column.additivity for column in table.columns] == [
        Additivity.NEVER,
        Additivity.NOT_OVER_TIME,
        Additivity.FULL,
    ]


def test_brackets_without_end_are_text() -> None:
    assert read_tables("[" * 100_000) is not None
    assert read_tables('{"a": ' * 50_000) is not None
