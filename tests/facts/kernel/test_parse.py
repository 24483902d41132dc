"""Measures and conditions as models write them."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.facts.kernel import expression as ex
from veridical.facts.kernel.parse import read_condition, read_measure
from veridical.facts.kernel.value import FactError, Reason

_COLUMNS = ("qty", "unit price", "Umsatz", "状态", "a.b", "month")
_RESULTS = ("r1", "r2")
_PIECES = st.sampled_from(
    ["qty", "unit price", '"unit price"', "状态", "r2", ".", "[", "]", "'x'", '"y"', "(", ")", ",",
     "+", "-", "*", "/", "=", "!=", "<", ">", "and", "or", "not", "in", "is", "null", "between",
     "like", "as", "sum(", "count(", "wavg(", "contains(", "12", "5%", "1,000", "true", "'", "§"]
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        ("qty", ex.Column("qty")),
        ("QTY", ex.Column("qty")),
        ("unit price", ex.Column("unit price")),
        ("umsatz", ex.Column("Umsatz")),
        ("a.b", ex.Column("a.b")),
        ("r2.qty", ex.Column("qty", "r2")),
        ("r2['North'].qty", ex.Cell("r2", "North", "qty")),
        ("1,000", ex.Number(1000.0)),
        ("5%", ex.Number(0.05, is_percent=True)),
        ("-3", ex.Number(-3.0)),
        ("count()", ex.Call("count", ())),
        ("mean(qty)", ex.Call("avg", (ex.Column("qty"),))),
        ("count(distinct qty)", ex.Call("distinct", (ex.Column("qty"),))),
        ("qty × 2", ex.Arithmetic("*", ex.Column("qty"), ex.Number(2.0))),
    ],
)
def test_a_measure_is_read(text: str, expression: ex.Expression) -> None:
    assert read_measure(text, _COLUMNS, _RESULTS).expression == expression


def test_a_measure_has_the_name_behind_as() -> None:
    assert read_measure("qty / 2 as half of it", _COLUMNS, _RESULTS).alias == "half of it"


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("状态 = 'x'", ex.Compare("=", ex.Column("状态"), ex.Text("x"))),
        ("qty <> 3", ex.Compare("!=", ex.Column("qty"), ex.Number(3.0))),
        ("qty ≥ 3", ex.Compare(">=", ex.Column("qty"), ex.Number(3.0))),
        ("qty is not null", ex.Blank(ex.Column("qty"), negated=True)),
        ("qty not in (1, 2)",
         ex.OneOf(ex.Column("qty"), (ex.Number(1.0), ex.Number(2.0)), negated=True)),
        ("状态 like '%x%'", ex.Contains(ex.Column("状态"), "x")),
        ("1 < qty <= 3",
         ex.Every((ex.Compare("<", ex.Number(1.0), ex.Column("qty")),
                   ex.Compare("<=", ex.Column("qty"), ex.Number(3.0))))),
    ],
)  # fmt: skip
def test_a_condition_is_read(text: str, condition: ex.Expression) -> None:
    assert read_condition(text, _COLUMNS, _RESULTS) == condition


@pytest.mark.parametrize(
    "text",
    ["qty '>' 3", "qty >", "(qty", "sum()", "qty in ()", "contains(qty)", "qty == ", "'", "qty 3",
     "qty" + " + qty" * 100, "qty in (" + "1, " * 300 + "1)", " or ".join(["qty"] * 50),
     "(" * 100, "not " * 100 + "qty", "x" * 3000],
)  # fmt: skip
def test_what_is_no_expression_is_refused(text: str) -> None:
    with pytest.raises(FactError) as caught:
        read_condition(text, _COLUMNS, _RESULTS)
    assert caught.value.reason in (Reason.SYNTAX, Reason.NO_COLUMN)
    assert len(caught.value.subject) <= 200


@given(st.text(max_size=120))
def test_any_text_is_read_or_refused(text: str) -> None:
    for read in (read_measure, read_condition):
        assert _is_read_or_refused(read, text)


@given(st.lists(_PIECES, max_size=14))
def test_any_row_of_signs_is_read_or_refused(pieces: list[str]) -> None:
    assert _is_read_or_refused(read_condition, " ".join(pieces))


def _is_read_or_refused(read: Callable[..., object], text: str) -> bool:
    """What is read is something; a refusal names little of the text."""
    try:
        return read(text, _COLUMNS, _RESULTS) is not None
    except FactError as error:
        return error.reason in Reason and len(error.subject) <= 200
