import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.evals.comparison.holm import holm

families = st.lists(st.floats(0, 1), max_size=12)


@pytest.mark.parametrize(
    ("values", "adjusted"),
    [
        ((), ()),
        ((0.04,), (0.04,)),
        ((0.01, 0.04, 0.03), (0.03, 0.06, 0.06)),
        ((0.01, 0.02, 0.022), (0.03, 0.04, 0.04)),
        ((0.6, 0.4), (0.8, 0.8)),
    ],
)
def test_values_by_hand(values: tuple[float, ...], adjusted: tuple[float, ...]) -> None:
    assert holm(values) == pytest.approx(adjusted)


@given(families)
def test_it_finds_what_the_steps_of_holm_find(values: list[float]) -> None:
    """Step by step: the smallest against alpha/m, the next against alpha/(m-1), until one fails."""
    alpha, found = 0.05, 0
    for rank, value in enumerate(sorted(values)):
        if (len(values) - rank) * value >= alpha:
            break
        found += 1
    assert sum(value < alpha for value in holm(values)) == found


@given(families)
def test_no_value_falls_and_their_order_stays(values: list[float]) -> None:
    adjusted = holm(values)
    assert all(old <= new <= 1 for old, new in zip(values, adjusted, strict=True))
    pairs = sorted(zip(values, adjusted, strict=True))
    assert [new for _, new in pairs] == sorted(adjusted)


@given(families, st.randoms(use_true_random=False))
def test_the_order_of_the_tests_does_not_matter(
    values: list[float], shuffler: random.Random
) -> None:
    places = list(range(len(values)))
    shuffler.shuffle(places)
    adjusted = holm(values)
    assert holm([values[place] for place in places]) == tuple(adjusted[place] for place in places)
