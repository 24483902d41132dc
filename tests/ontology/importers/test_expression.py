import pytest

from veridical.ontology.importers.expression import (
    Aggregate,
    aggregate_of,
    columns_in,
    is_linear,
    plain_column,
)


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("amount", "amount"),
        ("orders.amount", "amount"),
        ('"Amount"', "Amount"),
        ("1", None),
        ("amount + 1", None),
        ("f(x).y", None),
        ("", None),
        (None, None),
    ],
)
def test_a_plain_column_is_nothing_else(text: str | None, column: str | None) -> None:
    assert plain_column(text) == column


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("SUM(orders.amount)", Aggregate("sum", "amount", "orders", is_column=True)),
        ("COUNT(*)", Aggregate("count", None)),
        ("COUNT(DISTINCT id)", Aggregate("count_distinct", "id", None, is_column=True)),
        ("AVG(a * b)", Aggregate("average", "a * b")),
        ("SUM(a) / COUNT(*)", None),
        ("SUM((", None),
    ],
)
def test_one_aggregate_is_recognised(text: str, found: Aggregate | None) -> None:
    assert aggregate_of(text) == found


def test_columns_are_listed_once() -> None:
    assert columns_in("SUM(a.x) / SUM(a.x) + y") == (("a", "x"), ("", "y"))
    assert columns_in("((") == ()


@pytest.mark.parametrize(
    ("text", "linear"), [("a + b - (c)", True), ("a / b", False), ("a * 2", False), ("", False)]
)
def test_only_sums_and_differences_are_linear(text: str, linear: bool) -> None:
    assert is_linear(text) is linear
