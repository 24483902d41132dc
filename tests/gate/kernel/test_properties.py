"""What holds for every expression: it ends, it is total, and the order of rows changes nothing."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.effort import examples
from veridical.evidence.read import read_tables
from veridical.evidence.table import Table
from veridical.gate.kernel import expression as ex
from veridical.gate.kernel.evaluate import Evaluator
from veridical.gate.kernel.parse import is_condition, is_rows, is_scalar, parse
from veridical.gate.kernel.value import Budget, EvaluationError, Figure, Reason

pytestmark = pytest.mark.slow

ROWS = [
    {"region": "North", "revenue_eur": 1200.5, "orders": 31, "delay_min": 12, "rate_pct": 4.5},
    {"region": "South", "revenue_eur": 830.0, "orders": 54, "delay_min": 45, "rate_pct": 7.25},
    {"region": "East", "revenue_eur": 990.25, "orders": 12, "delay_min": None, "rate_pct": 1.0},
    {"region": "West", "revenue_eur": 410.0, "orders": 54, "delay_min": 5, "rate_pct": 3.5},
]
COLUMNS = ("revenue_eur", "orders", "delay_min", "rate_pct")

columns = st.sampled_from(COLUMNS)
rows = st.one_of(
    st.just("r1"),
    st.sampled_from(["r1[North]", "r1[South]", "r1[#2]", "r1[North, East]", "r1[orders > 30]"]),
    columns.map(lambda name: f"top(r1.{name})"),
    columns.map(lambda name: f"bottom(r1.{name}, 2)"),
    columns.map(lambda name: f"r1[{name} = empty]"),
    columns.map(lambda name: f"r1[{name} >= 10][{name} < 60]"),
)
series = st.builds("{}.{}".format, rows, columns)
functions = st.sampled_from(["sum", "mean", "median", "min", "max", "distinct"])
scalars = st.one_of(
    series,
    st.builds("{}({})".format, functions, series),
    rows.map("count({})".format),
    st.builds("share({}, {})".format, series, series),
    st.builds("change({}, {})".format, series, series),
    st.builds("({} {} {})".format, series, st.sampled_from("+-*/"), series),
)
comparisons = st.builds(
    "{} {} {}".format, scalars, st.sampled_from([">", "<", ">=", "<=", "=", "!=", "~"]), scalars
)
texts = st.one_of(scalars, rows, comparisons, comparisons.map("not({})".format))


def _tables(rows_: list[dict[str, Any]]) -> dict[str, Table]:
    return {table.name: table for table in read_tables(rows_)}


def _outcome(text: str, tables: dict[str, Table], budget: Budget | None = None) -> Any:
    """The value as something that can be compared, or the reason why there is none."""
    try:
        found = parse(text, tables, {})
        evaluator = Evaluator(tables, budget)
        if is_condition(found):
            return evaluator.holds(found)
        if is_rows(found):
            selected = evaluator.rows(found)
            return {selected.table.rows[row][0] for row in selected.rows}
        assert is_scalar(found)
        value = evaluator.value(found)
        return (round(value.value, 9), value.dimension) if isinstance(value, Figure) else value
    except EvaluationError as error:
        return error.reason


@given(st.text(max_size=80))
@settings(max_examples=examples(300))
def test_any_text_has_a_value_or_a_reason(text: str) -> None:
    outcome = _outcome(text, _tables(ROWS))
    assert outcome == _outcome(text, _tables(ROWS))


@given(texts)
@settings(max_examples=examples(300))
def test_an_expression_comes_to_the_same_each_time(text: str) -> None:
    assert _outcome(text, _tables(ROWS)) == _outcome(text, _tables(ROWS))


@given(texts.filter(lambda text: "#" not in text), st.randoms(use_true_random=False))
@settings(max_examples=examples(300))
def test_the_order_of_rows_changes_nothing_where_it_is_not_asked(
    text: str, shuffle: random.Random
) -> None:
    shuffled = list(ROWS)
    shuffle.shuffle(shuffled)
    assert _outcome(text, _tables(shuffled)) == _outcome(text, _tables(ROWS))


@given(rows, rows, st.sampled_from("+-"))
def test_figures_of_unlike_dimensions_are_never_added(one: str, other: str, sign: str) -> None:
    for left, right in (("revenue_eur", "delay_min"), ("rate_pct", "revenue_eur")):
        outcome = _outcome(f"sum({one}.{left}) {sign} max({other}.{right})", _tables(ROWS))
        assert isinstance(outcome, Reason)


@given(rows)
def test_rates_never_add_up(selected: str) -> None:
    outcome = _outcome(f"sum({selected}.rate_pct)", _tables(ROWS))
    assert outcome in (Reason.NOT_ADDITIVE, Reason.NO_VALUE, Reason.NO_ROW)


@given(texts, st.integers(min_value=0, max_value=40))
def test_no_evaluation_takes_more_than_its_budget(text: str, steps: int) -> None:
    budget = Budget(steps)
    outcome = _outcome(text, _tables(ROWS), budget)
    assert budget.left >= 0 or outcome is Reason.BUDGET


@pytest.mark.parametrize("depth", [30, 400, 5_000])
def test_deep_nesting_is_refused(depth: int) -> None:
    assert _outcome("(" * depth + "1" + ")" * depth, _tables(ROWS)) is Reason.SYNTAX


def test_the_host_computes_what_a_reader_would() -> None:
    tables = _tables(ROWS)
    orders = [value for row in ROWS if isinstance(value := row["orders"], int | float)]
    assert _outcome("sum(r1.orders)", tables)[0] == sum(orders)
    assert _outcome("top(r1.revenue_eur)", tables) == {"North"}
    assert _outcome("top(r1.orders)", tables) == {"South", "West"}
    assert _outcome("r1[delay_min = empty]", tables) == {"East"}
    assert _outcome("r1[South].delay_min > 30", tables) is True
    assert _outcome("not(r1[South].orders > r1[West].orders)", tables) is True
    assert isinstance(parse("a.orders", tables, {"a": ex.Table("r1")}), ex.Cells)
