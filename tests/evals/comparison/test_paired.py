import random
from itertools import product
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veridical.evals.comparison.paired import (
    Cluster,
    clustered_interval,
    design_effect,
    exact_test,
    tango_interval,
)

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
