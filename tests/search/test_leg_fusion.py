"""The fusion of both legs: total, blind to the order of the hits, and fair to what is better."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.search.chunk import Hit
from veridical.search.retrieve import FUSE_K, Leg, fused

_SCORES = st.floats(-100, 100, allow_nan=False).map(lambda score: round(score, 3))
_legs = st.dictionaries(st.integers(1, 30), _SCORES, max_size=12)
_weights = st.floats(0.01, 0.99)


def leg(scores: dict[int, float]) -> Leg:
    """As an index returns it: the highest first, ties by number."""
    in_order = sorted(scores, key=lambda chunk: (-scores[chunk], chunk))
    return {chunk: Hit(chunk, scores[chunk], rank) for rank, chunk in enumerate(in_order, 1)}


def order(one: Leg, other: Leg, weight: float | None = None) -> list[int]:
    return [each.chunk for each in fused(one, other, weight)]


def test_without_a_weight_ranks_are_fused() -> None:
    one = {number: Hit(number, 1.0, number) for number in (1, 2, 3)}
    other = {4 - number: Hit(4 - number, 1.0, number) for number in (1, 2, 3)}
    assert order(one, other) == order(other, one) == [1, 3, 2]
    first = fused(one, other)[0]
    assert first.order == 1 / (FUSE_K + 1) + 1 / (FUSE_K + 3)
    assert first.standard is None
    assert fused({}, {}) == fused({}, {}, 0.4) == []


def test_scores_by_hand() -> None:
    words = leg({1: 9.0, 2: 3.0, 3: 3.0})  # mean 5, deviation √8
    near = leg({3: 0.9, 4: 0.5})  # mean 0.7, deviation 0.2
    found = {each.chunk: each for each in fused(words, near, 0.25)}
    of_first, of_third, of_last = (found[chunk].standard for chunk in (1, 3, 4))
    assert of_first
    assert of_third
    assert of_last
    assert of_first.lexical == pytest.approx(4 / math.sqrt(8))
    assert of_first.vector == pytest.approx(-1), "not found counts as the leg's lowest"
    assert of_third.vector == pytest.approx(1)
    assert of_last.lexical == pytest.approx(-2 / math.sqrt(8))
    assert found[1].order == pytest.approx(0.75 * 4 / math.sqrt(8) - 0.25)
    assert list(found) == [1, 3, 2, 4]


def test_hits_that_are_all_equal_say_found_or_not_found() -> None:
    near = leg({1: 0.9, 2: 0.5, 3: 0.1})
    (only, *_) = fused(leg({7: 4.2}), near, 0.3)
    assert only.chunk == 7
    assert only.standard
    assert only.standard.lexical == 1.0
    missed = fused(leg({7: 4.2}), near, 0.3)[1]
    assert missed.standard
    assert missed.standard.lexical == -1.0
    two = fused(leg({7: 4.2, 8: 4.2}), near, 0.3)[:2]
    assert [each.chunk for each in two] == [7, 8]
    tiny = fused(leg({7: 5e-324, 8: 0.0}), {}, 0.3)  # their deviation is too small for a number
    assert [each.standard and each.standard.lexical for each in tiny] == [1.0, 1.0]


def test_a_score_that_is_no_number_is_not_found() -> None:
    near = {**leg({1: 0.9, 2: 0.5}), 3: Hit(3, math.nan, 3)}
    assert order(leg({2: 1.0, 1: 2.0}), near, 0.5) == [1, 2, 3]
    assert order({}, {3: Hit(3, math.nan, 1)}, 0.5) == [3]


def test_with_one_leg_its_order_stands() -> None:
    words = leg({1: 3.0, 2: 7.0, 3: 7.0, 4: 1.0})
    for weight in (None, 0.0, 0.3, 1.0):
        assert order(words, {}, weight) == order({}, words, weight) == [2, 3, 1, 4]


def test_without_any_weight_a_leg_still_breaks_ties() -> None:
    near = leg({5: 0.1, 6: 0.8, 7: 0.4})
    assert order(leg({1: 2.0, 2: 1.0}), near, 0.0) == [1, 6, 2, 7, 5]


@given(_legs, _legs, st.none() | st.floats(0, 1), st.randoms(use_true_random=False))
def test_the_order_of_the_hits_does_not_matter(
    words: dict[int, float], near: dict[int, float], weight: float | None, draw: random.Random
) -> None:
    one, other = leg(words), leg(near)
    mixed = [list(each.items()) for each in (one, other)]
    for each in mixed:
        draw.shuffle(each)
    found = fused(one, other, weight)
    assert found == fused(one, other, weight) == fused(dict(mixed[0]), dict(mixed[1]), weight)
    assert sorted(each.chunk for each in found) == sorted({*words, *near})
    assert all(math.isfinite(each.order) for each in found)


@given(_legs, _legs, _weights)
def test_what_is_better_in_both_legs_stands_before(
    words: dict[int, float], near: dict[int, float], weight: float
) -> None:
    one, other = leg(words), leg(near)
    place = {chunk: number for number, chunk in enumerate(order(one, other, weight))}

    def rank(leg: Leg, chunk: int) -> float:
        return leg[chunk].rank if chunk in leg else math.inf

    for first in place:
        for second in place:
            ranks = [(rank(each, first), rank(each, second)) for each in (one, other)]
            if all(a <= b for a, b in ranks) and any(a < b for a, b in ranks):
                assert place[first] < place[second]


@given(_legs, _legs)
def test_a_leg_with_the_whole_weight_decides(
    words: dict[int, float], near: dict[int, float]
) -> None:
    one, other = leg(words), leg(near)
    found = [chunk for chunk in order(one, other, 1.0) if chunk in near]
    assert [near[chunk] for chunk in found] == sorted(near.values(), reverse=True)
    found = [chunk for chunk in order(one, other, 0.0) if chunk in words]
    assert [words[chunk] for chunk in found] == sorted(words.values(), reverse=True)


@given(st.dictionaries(st.integers(1, 30), st.integers(-99, 99), max_size=12), _legs, _weights)
def test_the_unit_of_a_leg_does_not_matter(
    words: dict[int, int], near: dict[int, float], weight: float
) -> None:
    plain = {chunk: float(score) for chunk, score in words.items()}
    scaled = {chunk: 4.0 * score + 1024.0 for chunk, score in plain.items()}
    first, second = fused(leg(plain), leg(near), weight), fused(leg(scaled), leg(near), weight)
    orders = {each.chunk: each.order for each in second}
    assert all(each.order == pytest.approx(orders[each.chunk], abs=1e-9) for each in first)
