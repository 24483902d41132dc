from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.effort import examples
from veridical.arithmetic import ArithmeticRefusedError, compute

CASES = Path(__file__).parent / "arithmetic"


def cases(name: str) -> list[tuple[str, str]]:
    lines = (CASES / name).read_text("utf-8").splitlines()
    split = (line.partition("=> ") for line in lines if not line.startswith("#"))
    return [(expression.strip(), expected) for expression, _, expected in split]


@pytest.mark.parametrize(("expression", "expected"), cases("must_accept.txt"))
def test_it_computes(expression: str, expected: str) -> None:
    done = compute(expression)
    assert done.text == expected.removeprefix("~")
    assert done.exact is not expected.startswith("~")


@pytest.mark.parametrize(("expression", "reason"), cases("must_reject.txt"))
def test_it_refuses(expression: str, reason: str) -> None:
    with pytest.raises(ArithmeticRefusedError) as refusal:
        compute(expression)
    assert refusal.value.reason == reason


def test_it_remembers_the_numbers_it_was_given() -> None:
    assert compute("round(1'234.50 * 8.1%, 2) - sum(1, 2)").inputs == tuple(
        map(Decimal, ("1234.50", "8.1", "2", "1", "2"))
    )


def test_long_sums_are_computed_and_endless_ones_refused() -> None:
    assert compute(" + ".join(["1"] * 600)).value == 600
    for expression in (" + ".join(["1"] * 1500), "(" * 90 + "1" + ")" * 90 + "*1" * 3000):
        with pytest.raises(ArithmeticRefusedError):
            compute(expression)


@pytest.mark.parametrize("nesting", [70, 150, 1000])
def test_deep_nesting_is_refused_and_crashes_nothing(nesting: int) -> None:
    with pytest.raises(ArithmeticRefusedError):
        compute("abs(" * nesting + "1" + ")" * nesting)


NUMBERS = st.decimals(
    min_value=-(10**9), max_value=10**9, places=4, allow_nan=False, allow_infinity=False
).map(lambda number: f"{number:f}" if number >= 0 else f"({number:f})")


def formulas() -> st.SearchStrategy[str]:
    return st.recursive(
        NUMBERS,
        lambda inner: st.tuples(inner, st.sampled_from("+-*/"), inner).map(
            lambda parts: f"({parts[0]} {parts[1]} {parts[2]})"
        ),
        max_leaves=6,
    )


@given(formulas())
@settings(max_examples=examples(200), deadline=None)
def test_exact_results_equal_those_of_fractions(formula: str) -> None:
    words = formula.replace("(", " ( ").replace(")", " ) ").split()
    exact = " ".join(_fraction(word) for word in words)
    try:
        expected: Fraction | None = eval(exact, {"Fraction": Fraction})
    except ZeroDivisionError:
        expected = None
    if expected is None:
        with pytest.raises(ArithmeticRefusedError, match="division_by_zero"):
            compute(formula)
        return
    done = compute(formula)
    if done.exact:
        assert Fraction(done.value) == expected
    else:
        assert abs(Fraction(done.value) - expected) <= abs(expected) / 10**20 + Fraction(1, 10**20)


def _fraction(word: str) -> str:
    return f"Fraction('{word}')" if word[-1].isdigit() else word


@given(st.text(alphabet="0123456789.+-*/^%(),' sumavgxr[]_e", max_size=60))
@settings(max_examples=examples(300), deadline=None)
def test_nothing_but_a_refusal_is_ever_raised(text: str) -> None:
    try:
        done = compute(text)
    except ArithmeticRefusedError:
        return
    assert done.value.is_finite()
