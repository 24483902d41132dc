from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.evals.report.pages import Page
from veridical.evals.report.svg import Axis, fitted, nice_top, safe, spread_apart


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cn"])))
def test_safe_text_reads_as_it_was_written(text: str) -> None:
    page = Page(f'<p title="{safe(text)}">{safe(text)}</p>')
    assert page.elements == [("p", {"title": text})]
    assert page.texts["p"] == [text]


@pytest.mark.parametrize("text", ["\x00", "\ud800", "\x1b[31m", "\ufffe"])
def test_what_no_page_can_hold_is_replaced(text: str) -> None:
    assert safe(text).startswith("�")
    safe(text).encode()


def test_line_ends_of_any_kind_are_kept() -> None:
    assert safe("a\r\nb\nc") == "a\nb\nc"


@given(st.text(), st.integers(1, 20))
def test_a_fitted_text_is_short_enough_and_whole_where_it_can_be(text: str, most: int) -> None:
    assert len(fitted(text, most)) <= most
    assert (fitted(text, most) == text) is (len(text) <= most)


def test_an_axis_may_run_either_way() -> None:
    assert Axis(0, 10, 100, 200).at(5) == 150
    assert Axis(0, 1, 200, 100).at(0.25) == 175


@given(st.floats(0.001, 1e9))
def test_a_nice_top_has_room_and_does_not_waste_it(largest: float) -> None:
    assert largest <= nice_top(largest) <= 2.1 * largest


def test_without_values_an_axis_still_has_a_length() -> None:
    assert nice_top(0.0) == 1.0


@given(st.lists(st.floats(0, 500), max_size=8))
def test_labels_do_not_overlap_and_stay_above_the_axis(places: list[float]) -> None:
    moved = spread_apart(places, 15, 480)
    assert all(place <= 480 for place in moved)
    gaps = [low - high for high, low in pairwise(sorted(moved))]
    assert all(gap == pytest.approx(15) or gap > 15 for gap in gaps)


@given(st.lists(st.floats(0, 500), max_size=8))
def test_labels_with_room_below_move_down_only(places: list[float]) -> None:
    moved = spread_apart(places, 15, 1000)
    assert all(after >= before - 1e-9 for before, after in zip(places, moved, strict=True))
