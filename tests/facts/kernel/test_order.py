"""Rows by a column."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.evidence.column import CellKind
from veridical.facts.kernel.order import (
    end_places,
    known_count,
    leading_places,
    sorted_places,
    standing,
)
from veridical.facts.kernel.value import FactError, Vector

_FIGURES = st.lists(st.none() | st.integers(-9, 9).map(float), max_size=12)


def _vector(*values: float | None) -> Vector:
    return Vector("x", CellKind.FIGURE, list(values))


def test_those_without_a_value_come_last_and_equal_ones_keep_their_order() -> None:
    vector = _vector(2.0, None, 3.0, 2.0)
    assert sorted_places(vector, descending=True) == [2, 0, 3, 1]
    assert sorted_places(vector, descending=False) == [0, 3, 2, 1]


def test_texts_that_look_like_months_are_sorted_as_texts() -> None:
    vector = Vector("name", CellKind.NAME, ["May", "Anna", "Jan"])
    assert sorted_places(vector, descending=False) == [1, 2, 0]


def test_texts_have_no_highest() -> None:
    with pytest.raises(FactError):
        leading_places(Vector("name", CellKind.NAME, ["a", "b"]), 1, descending=True)


def test_what_arithmetic_leaves_behind_makes_no_winner() -> None:
    vector = _vector(0.1 + 0.2, 0.3, 0.2)
    assert leading_places(vector, 1, descending=True) == [0, 1]
    assert standing(vector, 1, ascending=False) == (0, 2)


@given(_FIGURES, st.integers(1, 5))
def test_leaders_are_at_least_as_high_as_all_others(values: list[float | None], n: int) -> None:
    vector = _vector(*values)
    found = leading_places(vector, n, descending=True)
    known = [each for each in values if each is not None]
    assert len(found) >= min(n, len(known)) == min(n, known_count(vector))
    shown = [value for at in found if (value := values[at]) is not None]
    assert shown == sorted(known, reverse=True)[: len(found)]


@given(_FIGURES.filter(any))
def test_a_place_is_one_more_than_those_ahead(values: list[float | None]) -> None:
    vector = _vector(*values)
    ends = end_places(vector)
    assert ends is not None
    known = [each for each in values if each is not None]
    assert values[ends[0]] == min(known)
    assert values[ends[1]] == max(known)
    assert standing(vector, ends[1], ascending=False)[0] == 0
    assert standing(vector, ends[0], ascending=True)[0] == 0
