"""Arguments as models write them."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.facts.shops import frames
from veridical.facts.arguments import Join, read_arguments
from veridical.facts.forms.registry import FORMS, evaluate
from veridical.facts.kernel.value import FactError, Reason

_NAMES = ["from", "where", "by", "rows", "measure", "measures", "name", "join", "format", "n",
          "sort", "first", "agg", "order", "over", "start", "end", "a", "b", "part", "whole", "is",
          "limit", "what", "columns", "among", "total", "text"]  # fmt: skip
_WORDS = st.sampled_from(["r1", "r2", "r9", "orders", "shop", "North", "orders > 3", "-orders",
                          "sum(orders)", "2024", "late", "opened", "x", ""])  # fmt: skip
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | _WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_WORDS, inner, max_size=3),
    max_leaves=6,
)


def test_synonyms_are_read() -> None:
    found = read_arguments({"form": "Top", "column": "x", "row": "A", "group_by": "g", "top": "3"})
    assert (found.say, found.measures, found.rows, found.by, found.n) == (
        "top", ("x",), ("A",), ("g",), 3)  # fmt: skip


def test_a_condition_may_be_an_object_or_a_list() -> None:
    assert read_arguments({"where": {"a": "it's", "b": 3}}).where == "\"a\" = 'it''s' and \"b\" = 3"
    assert read_arguments({"where": ["a > 1", "b"]}).where == "(a > 1) and (b)"


def test_a_join_names_a_column_of_each() -> None:
    found = read_arguments({"join": {"with": "r2", "on": "r1.sku = r2.article"}})
    assert found.join == Join("r2", "sku", "article")


def test_an_argument_that_nobody_knows_is_refused() -> None:
    with pytest.raises(FactError) as caught:
        read_arguments({"say": "top", "colour": "red"})
    assert caught.value.reason is Reason.ARGUMENT


def test_what_is_nested_without_end_is_refused() -> None:
    value: Any = "x"
    for _ in range(5000):
        value = [value]
    with pytest.raises(FactError):
        read_arguments({"say": "top", "from": value})


@given(st.sampled_from(sorted(FORMS)),
       st.dictionaries(st.sampled_from(_NAMES), _WORDS | _VALUES, max_size=5))  # fmt: skip
def test_any_arguments_make_a_fact_or_are_refused(form: str, arguments: dict[str, Any]) -> None:
    try:
        fact = evaluate(read_arguments({"say": form, **arguments}), frames())
    except FactError:
        return
    assert fact.claim.form == fact.form
