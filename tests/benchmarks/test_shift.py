"""A made-up figure is another one, close by, and written alike."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.answer_gate.shift import FIGURE, shifted


@given(st.integers(50, 10**9), st.text(min_size=1, max_size=8))
def test_a_shift_stays_between_3_and_40_percent(value: int, seed: str) -> None:
    moved = shifted(f"{value:,}", seed)
    assert moved is not None
    share = abs(int(moved.replace(",", "")) / value - 1)
    assert 0.03 - 0.5 / value <= share <= 0.40 + 0.5 / value


@pytest.mark.parametrize("written", ["1", "2", "0.1", "3.0", "12.55", "1,234.5"])
def test_it_is_another_figure_with_as_many_decimals(written: str) -> None:
    moved = shifted(written, "seed")
    assert moved is not None
    assert float(moved.replace(",", "")) != float(written.replace(",", ""))
    assert len(moved.partition(".")[2]) == len(written.partition(".")[2])


def test_a_zero_has_no_share() -> None:
    assert shifted("0.00", "seed") is None


def test_figures_are_no_parts_of_words_and_codes() -> None:
    text = "FY2022: $1,234.5 or 12%, 10-K, v1.2.3."
    assert [match.group() for match in FIGURE.finditer(text)] == ["1,234.5", "12", "10"]
