from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.server.tenancy import somebody
from veridical.server import limits
from veridical.server.identity import Limits
from veridical.server.limits import RateLimiter


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@given(
    rate=st.integers(1, 50),
    pauses=st.lists(st.floats(0, 30), min_size=1, max_size=200),
)
def test_never_more_than_a_minutes_worth_and_what_flows_in(rate: int, pauses: list[float]) -> None:
    clock = Clock()
    limiter, started, passed = RateLimiter(clock), clock.now, 0
    who = replace(somebody(), limits=Limits(per_minute=rate))
    for pause in pauses:
        clock.now += pause
        passed += limiter.take(who) == 0
        assert passed <= rate + (clock.now - started) * rate / 60 + 1e-6


@given(rate=st.integers(1, 50))
def test_who_waits_as_told_may_go_on(rate: int) -> None:
    clock = Clock()
    limiter, who = RateLimiter(clock), replace(somebody(), limits=Limits(per_minute=rate))
    assert [limiter.take(who) for _ in range(rate)] == [0] * rate
    wait = limiter.take(who)
    assert 0 < wait <= 60 / rate
    clock.now += wait + 1e-6
    assert limiter.take(who) == 0
    assert limiter.take(who) > 0


def test_tenants_do_not_share() -> None:
    limiter, limits = RateLimiter(Clock()), Limits(per_minute=1)
    assert limiter.take(replace(somebody("acme"), limits=limits)) == 0
    assert limiter.take(replace(somebody("acme"), limits=limits)) > 0
    assert limiter.take(replace(somebody("globex"), limits=limits)) == 0


def test_a_key_has_a_share_of_its_tenants() -> None:
    limiter, limits = RateLimiter(Clock()), Limits(per_minute=3, key_per_minute=2)
    first = replace(somebody(), limits=limits, key_id="one")
    second = replace(first, key_id="two")
    assert [limiter.take(first) > 0 for _ in range(3)] == [False, False, True]
    # What the key was refused did not cost the tenant anything.
    assert [limiter.take(second) > 0 for _ in range(2)] == [False, True]


def test_what_was_silent_for_a_minute_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "_MOST_BUCKETS", 10)
    clock = Clock()
    limiter = RateLimiter(clock)
    for number in range(100):
        clock.now += 10
        limiter.take(somebody(f"tenant-{number}"))
    held: dict[object, object] = vars(limiter)["_buckets"]
    assert len(held) <= 11
