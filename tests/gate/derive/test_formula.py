"""Arithmetic that answers show is found and comes to what it should."""

from math import isfinite
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.gate.derive.formula import evaluate, find_formulas

_CASES = [
    tuple(part.strip() for part in line.rsplit("|", 1))
    for line in (Path(__file__).parent / "cases" / "formulas.txt")
    .read_text(encoding="utf-8")
    .splitlines()
    if line and not line.startswith("#")
]


@pytest.mark.parametrize(("text", "value"), _CASES)
def test_a_shown_expression_is_computed(text: str, value: str) -> None:
    finals = [
        found[-1]
        for formula in find_formulas(text)
        if (found := evaluate(formula.tree, [each.value for each in formula.operands]))
    ]
    assert any(final == pytest.approx(float(value), rel=1e-5) for final in finals)


@pytest.mark.parametrize(
    "text",
    [
        "Revenue rose from 44.1 to 56.7 million.",
        "Revenue = 44.1 million",
        "From 2018 - 2019 there is nothing equal to it.",
        "",
        "a = b = c",
        "((((( = )))))",
    ],
)
def test_no_expression_is_seen_in_prose(text: str) -> None:
    assert not [formula for formula in find_formulas(text) if formula.results]


def test_every_step_of_a_chain_is_an_expression() -> None:
    first, second = find_formulas("= $2,000 / ($1,000 - $500)\n= $2,000 / $500\n= 4.0")
    assert [result.value for result, _ in first.results] == [4.0]
    assert [result.value for result, _ in second.results] == [4.0]


def test_an_expression_may_end_a_line_without_a_result() -> None:
    (formula,) = find_formulas("Change = $16,047 million - $11,461 million\nChange: $4,586 million")
    assert formula.results == ()


def test_an_equation_goes_on_in_the_next_line_of_the_same_name() -> None:
    text = "Turnover = $65,000 / ($50,000)\n\nTurnover = 6.5 / 5\nTurnover ≈ 1.30 days\nRate = 3"
    first, second = find_formulas(text)
    assert [result.value for result, _ in first.results] == [1.30]
    assert [result.value for result, _ in second.results] == [1.30]


def test_an_equation_of_another_name_is_no_result() -> None:
    (formula,) = find_formulas("Turnover = 65 / 50\nMargin = 3.2")
    assert formula.results == ()


def test_a_product_may_be_divided_first() -> None:
    (formula,) = find_formulas("Days = 365 * 500 / 2,000 = 91.25")
    assert 0.25 in evaluate(formula.tree, [each.value for each in formula.operands])


@given(st.text(alphabet="0123456789+-*/()=., %$^million\n", max_size=80))
def test_any_text_can_be_read(text: str) -> None:
    for formula in find_formulas(text):
        values = evaluate(formula.tree, [each.value for each in formula.operands])
        assert all(isfinite(value) for value in values)


@given(st.integers(1, 10**6), st.integers(1, 10**6))
def test_operators_are_those_of_arithmetic(left: int, right: int) -> None:
    for sign, value in (("+", left + right), ("-", left - right), ("×", left * right)):
        (formula,) = find_formulas(f"{left} {sign} {right} = 5")
        assert evaluate(formula.tree, [each.value for each in formula.operands])[-1] == value
