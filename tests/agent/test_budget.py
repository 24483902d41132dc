import pytest
from hypothesis import given
from hypothesis import strategies as some

from veridical.agent.budget import Budget, Price, Spent, cost_of, seconds_left, spent
from veridical.contracts.answer import Usage

LIMITS = Budget(rounds=4, tokens=100, cost=0.5, wall_seconds=10)


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        (Usage(rounds=3, input_tokens=50, output_tokens=49, cost=0.49, elapsed_ms=9999), None),
        (Usage(rounds=4), Spent("rounds", 4)),
        (Usage(input_tokens=60, output_tokens=40), Spent("tokens", 100)),
        (Usage(cost=0.5), Spent("cost", 0.5)),
        (Usage(elapsed_ms=10_000), Spent("wallSeconds", 10)),
    ],
)
def test_the_first_limit_that_is_reached(usage: Usage, expected: Spent | None) -> None:
    assert spent(LIMITS, usage) == expected


def test_time_left() -> None:
    assert seconds_left(LIMITS, Usage(elapsed_ms=2500)) == 7.5


def test_an_unknown_price_is_an_unknown_cost() -> None:
    assert cost_of(None, 10, 10, 0) is None


def test_cached_tokens_cost_less_where_that_is_said() -> None:
    assert cost_of(Price(input=3, output=15), 1_000_000, 100_000, 500_000) == pytest.approx(4.5)
    cheaper = Price(input=3, output=15, cached_input=0.3)
    assert cost_of(cheaper, 1_000_000, 100_000, 500_000) == pytest.approx(3.15)


@given(some.integers(0, 10**6), some.integers(0, 10**6), some.integers(0, 10**6))
def test_more_tokens_never_cost_less(fresh: int, cached: int, written: int) -> None:
    price = Price(input=3, output=15, cached_input=0.3)
    cost = cost_of(price, fresh + cached, written, cached)
    more = cost_of(price, fresh + cached + 1, written + 1, cached)
    assert cost is not None
    assert more is not None
    assert 0 <= cost < more
