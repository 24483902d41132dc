from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.evals.comparison.power import ALPHA, cases_needed, visible_difference

differences = st.floats(0.02, 1)
shares = st.floats(0, 1)


def test_the_number_is_what_the_formula_gives_by_hand() -> None:
    """For 0.1 at a discordance of 0.3: (1.96·√0.3 + 0.8416·√0.29)² / 0.01 = 233.1."""
    assert cases_needed(0.1, 0.3) == 234


@pytest.mark.parametrize(("difference", "discordance"), [(0.1, 0.2), (0.2, 0.3), (0.25, 0.5)])
def test_so_many_cases_see_it_about_four_times_out_of_five(
    difference: float, discordance: float
) -> None:
    cases = cases_needed(difference, discordance)
    assert 0.72 < _power(cases, difference, discordance) < 0.88


def _power(cases: int, difference: float, discordance: float) -> float:
    """The exact test's power, added up over all that can happen."""
    losing = (discordance + difference) / 2 / discordance
    found = 0.0
    for unequal in range(cases + 1):
        chance = (
            comb(cases, unequal) * discordance**unequal * (1 - discordance) ** (cases - unequal)
        )
        if chance < 1e-6:
            continue
        for lost in range(unequal + 1):
            if _p(lost, unequal) < ALPHA:
                split = comb(unequal, lost) * losing**lost * (1 - losing) ** (unequal - lost)
                found += chance * split
    return found


def _p(lost: int, unequal: int) -> float:
    tail = sum(comb(unequal, few) for few in range(min(lost, unequal - lost) + 1))
    return min(1.0, 2 * tail / 2**unequal)


@given(differences, differences, shares)
def test_smaller_differences_take_more_cases(one: float, other: float, discordance: float) -> None:
    small, large = sorted((one, other))
    assert cases_needed(small, discordance) >= cases_needed(large, discordance)


@given(st.integers(1, 400), shares, st.integers(1, 5))
def test_the_visible_difference_is_the_smallest_that_so_many_cases_show(
    cases: int, discordance: float, repeats: int
) -> None:
    visible = visible_difference(cases, discordance, repeats)
    if visible is None:
        assert cases < cases_needed(1.0, discordance, repeats)
        return
    assert cases_needed(visible, discordance, repeats) <= cases
    if visible > 0.002:
        assert cases_needed(visible - 0.001, discordance, repeats) >= cases_needed(
            visible, discordance, repeats
        )


def test_repeats_help_as_far_as_they_tell_something_new() -> None:
    assert cases_needed(0.05, 0.2, repeats=3, design_effect=3) == cases_needed(0.05, 0.2)
    assert cases_needed(0.05, 0.2, repeats=3, design_effect=1.5) < cases_needed(0.05, 0.2)


def test_five_cases_show_nothing_at_all() -> None:
    assert visible_difference(5, 0.0) is None
    assert visible_difference(6, 0.0) is not None


@pytest.mark.parametrize("tests", [1, 2, 5, 10, 50])
def test_the_fewest_cases_are_those_whose_exact_test_can_say_it(tests: int) -> None:
    fewest = cases_needed(1.0, 1.0, tests=tests)
    assert _p(0, fewest) < ALPHA / tests <= _p(0, fewest - 1)


@given(differences, shares, st.integers(1, 30))
def test_several_tests_at_once_take_more_cases(
    difference: float, discordance: float, tests: int
) -> None:
    alone = cases_needed(difference, discordance)
    assert cases_needed(difference, discordance, tests=tests) >= alone


@pytest.mark.parametrize("difference", [0.0, -0.1, 1.5])
def test_only_differences_that_can_be_are_asked_for(difference: float) -> None:
    with pytest.raises(ValueError, match="difference"):
        cases_needed(difference, 0.2)
