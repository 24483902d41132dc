import random
from itertools import product
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veridical.evals.comparison.statistics import (
    ALPHA,
    Cluster,
    cases_needed,
    clustered_interval,
    design_effect,
    exact_test,
    holm,
    proportion,
    share,
    tango_interval,
    visible_difference,
)


@pytest.mark.parametrize(
    ("count", "of", "low", "high"),
    [  # Newcombe (1998), Statistics in Medicine 17, 857: table I, method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_the_published_intervals_come_out(count: int, of: int, low: float, high: float) -> None:
    found = proportion(count, of)
    assert found.low == pytest.approx(low, abs=5e-5)
    assert found.high == pytest.approx(high, abs=5e-5)


def test_of_nothing_there_is_no_share() -> None:
    found = proportion(0, 0)
    assert (found.share, found.low, found.high) == (None, None, None)
    assert share(0, 0) is None


@given(st.integers(0, 200), st.integers(0, 200), st.floats(1, 5))
def test_an_interval_holds_its_share_and_widens_with_the_design_effect(
    hits: int, misses: int, design_effect: float
) -> None:
    of = hits + misses
    if not of:
        return
    plain, clustered = proportion(hits, of), proportion(hits, of, design_effect)
    assert plain.share is not None
    assert plain.low is not None
    assert plain.high is not None
    assert clustered.low is not None
    assert clustered.high is not None
    assert 0 <= clustered.low <= plain.low + 1e-12
    assert plain.low <= plain.share <= plain.high
    assert plain.high - 1e-12 <= clustered.high <= 1


Z_90 = 1.6448536269514722
counts = st.integers(0, 60)


@pytest.mark.parametrize(
    ("won", "lost", "p"),
    [
        (1, 7, 0.0703125),  # Fagerland, Lydersen and Laake (2013), airway hyper-responsiveness
        (6, 16, 0.0524788),  # the same, complete response to therapy
        (0, 5, 0.0625),
        (0, 6, 0.03125),
        (4, 4, 1.0),
        (0, 0, 1.0),
    ],
)
def test_with_one_repeat_it_is_mcnemars_exact_test(won: int, lost: int, p: float) -> None:
    assert exact_test([1] * won + [-1] * lost + [0] * 9) == pytest.approx(p, abs=1e-7)


@given(counts, counts)
def test_it_is_the_two_sided_binomial_test(won: int, lost: int) -> None:
    total = won + lost
    tail = sum(comb(total, few) for few in range(min(won, lost) + 1))
    expected = min(1.0, 2 * tail / 2**total)
    assert exact_test([1] * won + [-1] * lost) == pytest.approx(expected, rel=1e-9)


@settings(deadline=None)
@given(st.lists(st.integers(-3, 3), max_size=9))
def test_with_repeats_every_change_of_signs_is_counted(nets: list[int]) -> None:
    totals = [
        sum(sign * net for sign, net in zip(signs, nets, strict=True))
        for signs in product((-1, 1), repeat=len(nets))
    ]
    extreme = sum(abs(total) >= abs(sum(nets)) for total in totals)
    assert exact_test(nets) == pytest.approx(extreme / len(totals))


def test_thousands_of_pairs_are_no_problem() -> None:
    assert exact_test([1] * 600 + [-1] * 600) == 1.0
    assert exact_test([1] * 1100) == pytest.approx(2.0**-1099, abs=0)
    assert exact_test([1] * 1500) == 0.0  # smaller than any float


@pytest.mark.parametrize(
    ("won", "lost", "pairs", "z", "low", "high"),
    [
        # Fagerland, Lydersen and Laake (2014), airway hyper-responsiveness
        (1, 7, 21, 1.959964, -0.517, -0.026),
        # PropCIs 0.3 for R: scoreci.mp(25, 28, 618) at 90 %
        (28, 25, 618, Z_90, -0.0148, 0.0247),
    ],
)
def test_published_intervals_come_out(
    won: int, lost: int, pairs: int, z: float, low: float, high: float
) -> None:
    assert tango_interval(won, lost, pairs, z) == pytest.approx((low, high), abs=5e-4)


@given(counts, counts, counts)
def test_the_interval_holds_the_estimate_within_the_possible_and_mirrors(
    won: int, lost: int, alike: int
) -> None:
    pairs = won + lost + alike
    found, mirrored = tango_interval(won, lost, pairs), tango_interval(lost, won, pairs)
    if not pairs:
        assert found is None
        return
    assert found is not None
    assert mirrored is not None
    low, high = found
    assert -1 <= low <= (won - lost) / pairs + 1e-9
    assert (won - lost) / pairs - 1e-9 <= high <= 1
    assert mirrored == pytest.approx((-high, -low), abs=1e-9)


def test_without_disagreement_the_interval_has_a_width() -> None:
    found = tango_interval(0, 0, 100)
    assert found is not None
    assert found == pytest.approx((-0.037, 0.037), abs=5e-4)


@st.composite
def _clusters(draw: st.DrawFn) -> Cluster:
    won, lost, alike = draw(st.integers(0, 2)), draw(st.integers(0, 2)), draw(st.integers(1, 2))
    return Cluster(won + lost + alike, won, lost)


@given(st.lists(_clusters(), min_size=1, max_size=30))
def test_repeats_count_for_something_between_nothing_and_new_questions(
    found: list[Cluster],
) -> None:
    pairs = sum(each.pairs for each in found)
    assert 1 <= design_effect(found) <= pairs / len(found)


def test_repeats_that_always_agree_are_worth_one_question_each() -> None:
    single = [Cluster(1, 1, 0)] * 9 + [Cluster(1, 0, 1)] * 3 + [Cluster(1, 0, 0)] * 12
    tripled = [Cluster(3, 3 * each.won, 3 * each.lost) for each in single]
    assert design_effect(single) == 1
    assert design_effect(tripled) == 3
    assert clustered_interval(tripled) == pytest.approx(clustered_interval(single))
    assert exact_test(each.net for each in tripled) == pytest.approx(
        exact_test(each.net for each in single)
    )


def test_the_interval_covers_the_truth_where_repeats_agree() -> None:
    draw = random.Random(7)
    trials, covered, too_sure = 400, 0, 0
    for _ in range(trials):
        found = [_drawn(draw) for _ in range(40)]
        low, high = clustered_interval(found) or (1.0, -1.0)
        covered += low <= 0 <= high
        won, lost = sum(each.won for each in found), sum(each.lost for each in found)
        plain_low, plain_high = tango_interval(won, lost, 120) or (1.0, -1.0)
        too_sure += not plain_low <= 0 <= plain_high
    assert covered / trials >= 0.93
    assert too_sure / trials > 0.1  # what taking repeats for new questions would do


def _drawn(draw: random.Random) -> Cluster:
    """A question that each side, equally good, gets right mostly always or mostly never."""
    mine, yours = draw.choice((0.1, 0.9)), draw.choice((0.1, 0.9))
    pairs = [(draw.random() < mine, draw.random() < yours) for _ in range(3)]
    return Cluster(3, won=pairs.count((True, False)), lost=pairs.count((False, True)))


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
