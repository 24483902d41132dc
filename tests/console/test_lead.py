"""What leads an answer: one figure, a table, or charts that keep units apart."""

from typing import Any

from veridical.console.drawing import charts_of, line_of, ticks
from veridical.console.lead import Lead, lead_of
from veridical.contracts.facts_answer import FactsAnswer, Show
from veridical.contracts.language import Language
from veridical.evidence.read import read_tables
from veridical.facts.answer import state_answer
from veridical.facts.compose import composed
from veridical.facts.printing import Printer
from veridical.facts.record import record_of

MONTHS = [{"month": f"2025-{at:02}", "stock_kg": 100.0 + 3 * at} for at in range(1, 13)]
SHOPS = [{"shop": name, "orders": 10 * at} for at, name in enumerate("ABCDE", 1)]
ACCOUNTS = [
    {"account": f"{currency} {at}", "currency": currency, "amount": 100.0 * at}
    for currency in ("CHF", "USD")
    for at in (1, 2, 3)
]


def _written(rows: list[dict[str, Any]], answer: str, **facts: dict[str, Any]) -> FactsAnswer:
    raw = {"facts": facts, "answer": answer}
    stated = state_answer(raw, read_tables(rows), "", Language.EN)
    assert stated.accepted, stated.refused
    return record_of(stated, Show.REVIEWED)


def _lead(rows: list[dict[str, Any]]) -> Lead:
    found = lead_of(record_of(composed(read_tables(rows), "", Language.EN), Show.EXACT))
    assert found is not None
    return found


def test_one_value_is_a_figure_with_its_unit_and_its_label() -> None:
    found = _lead([{"shop": "North", "revenue_eur": 1200.5}])
    assert found.figure is not None
    assert (found.figure.text, found.figure.label) == ("€1,200.50", "Revenue")
    assert (found.table, found.panels) == (None, ())


def test_a_total_comes_before_the_rows_that_it_is_of() -> None:
    answer = _written(
        SHOPS,
        "In total {f1.value}. {table:f2}",
        f1={"say": "total", "measures": ["orders"]},
        f2={"say": "table", "columns": ["shop", "orders"]},
    )
    found = lead_of(answer)
    assert found is not None
    assert found.figure is not None
    assert found.figure.text == "150"
    assert found.table is not None
    assert len(found.table.rows) == 5


def test_several_values_are_a_table() -> None:
    answer = _written(
        SHOPS,
        "{f1.value} of A, {f2.value} of B.",
        f1={"say": "value", "measures": ["orders"], "rows": ["A"]},
        f2={"say": "value", "measures": ["orders"], "rows": ["B"]},
    )
    found = lead_of(answer)
    assert found is not None
    assert found.figure is None
    assert found.table is not None
    assert [[cell.text for cell in row] for row in found.table.rows] == [
        ["A, Orders", "10"],
        ["B, Orders", "20"],
    ]
    assert [found.table.fact_of(row) for row in range(2)] == ["f1", "f2"]


def test_a_series_is_a_line_and_names_are_bars() -> None:
    (series,) = _lead(MONTHS).panels
    assert (series.over_time, series.unit, len(series.points)) == (True, "kg", 12)
    (names,) = _lead(SHOPS).panels
    assert not names.over_time
    assert {point.name for point in names.points} == set("ABCDE")


def test_each_currency_has_a_scale_of_its_own() -> None:
    panels = _lead(ACCOUNTS).panels
    assert [panel.unit for panel in panels] == ["CHF", "USD"]
    for panel in panels:
        assert all(point.name.startswith(panel.unit) for point in panel.points)


def test_one_value_of_each_currency_is_no_chart() -> None:
    rows = [{"currency": unit, "amount": 10.0} for unit in ("CHF", "EUR", "USD")]
    found = _lead(rows)
    assert found.panels == ()
    assert found.table is not None
    assert found.table.figures == 3


def test_records_are_a_table() -> None:
    rows = [
        {"invoice": f"R-{at}", "customer": f"C{at}", "city": "Bern", "amount_chf": 10.5 * at}
        for at in range(1, 9)
    ]
    columns = {"say": "table", "columns": ["invoice", "customer", "city", "amount_chf"]}
    found = lead_of(_written(rows, "{table:f1}", f1=columns))
    assert found is not None
    assert found.panels == ()
    assert found.table is not None
    assert found.table.heads == ("Invoice", "Customer", "City", "Amount")


def test_words_have_no_lead() -> None:
    assert lead_of(_written([{"shop": "A", "orders": 1}], "There is nothing to add.")) is None


def test_an_axis_has_round_ends_around_its_values() -> None:
    assert ticks(103.0, 136.0) == (100.0, 110.0, 120.0, 130.0, 140.0)
    assert ticks(571_249.0, 1_081_204.0) == tuple(
        float(at) for at in range(400_000, 1_200_001, 200_000)
    )
    assert ticks(-5.0, 12.0) == (-5.0, 0.0, 5.0, 10.0, 15.0)
    assert 0.0 in ticks(3.0, 90.0)
    assert ticks(7.0, 7.0)[-1] >= 7.0


def test_a_line_stays_within_its_axis_and_writes_figures_as_the_answer_does() -> None:
    (panel,) = _lead(MONTHS).panels
    drawn = line_of(panel, Printer(Language.DE))
    heights = [tick.at for tick in drawn.upwards]
    assert all(min(heights) <= dot.y <= max(heights) for dot in drawn.dots)
    assert drawn.upwards[0].text == "100"
    assert drawn.dots[0].text == "103 kg"


def test_a_description_for_scripts_has_the_same_values() -> None:
    panels = _lead(ACCOUNTS).panels
    for panel, chart in zip(panels, charts_of(panels, Language.EN), strict=True):
        for point in panel.points:
            assert f'"text": "{point.text}"' in chart.vega
