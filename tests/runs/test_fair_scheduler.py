"""Tenants at one worker: a turn goes to who had least, and nobody waits for nothing."""

import asyncio
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veridical.runs.fair_scheduler import FairScheduler, Participant, Slot

pytestmark = pytest.mark.slow

STEPS = 10
AT_ONCE = 2


class Worker:
    """Lives that block the thread for a moment in each of their steps."""

    def __init__(self, scheduler: FairScheduler, seconds: float) -> None:
        self.scheduler = scheduler
        self.seconds = seconds
        self.steps: list[str] = []

    async def live(self, tenant: str) -> None:
        with self.scheduler.participant(tenant) as part:
            for _ in range(STEPS):
                await part.come()
                await asyncio.sleep(0)
                time.sleep(self.seconds)
                self.steps.append(tenant)

    def before_the_last_of(self, tenant: str) -> int:
        """Steps of others."""
        last = len(self.steps) - self.steps[::-1].index(tenant)
        return sum(each != tenant for each in self.steps[:last])


async def _lived(worker: Worker, *tenants: str) -> Worker:
    await asyncio.gather(*map(worker.live, tenants))
    return worker


def test_who_has_one_life_gets_as_many_steps_as_who_has_eight() -> None:
    worker = asyncio.run(_lived(Worker(FairScheduler(), 0.004), *["flood"] * 8, "small"))
    assert worker.before_the_last_of("small") <= 2 * STEPS
    assert worker.steps.count("flood") == 8 * STEPS


def test_equals_take_turns() -> None:
    worker = asyncio.run(_lived(Worker(FairScheduler(), 0.004), "one", "other"))
    assert abs(worker.before_the_last_of("one") - STEPS) <= 2


async def _works(scheduler: FairScheduler, tenant: str, seconds: float) -> None:
    with scheduler.participant(tenant) as part:
        await part.come()
        time.sleep(seconds)


async def _order(had: dict[str, float]) -> list[str]:
    """Who goes first: the small tenant has a turn under way when another segment of each comes."""
    scheduler, order = FairScheduler(), list[str]()
    for tenant, seconds in had.items():
        await _works(scheduler, tenant, seconds)

    async def go(part: Participant, name: str) -> None:
        await part.come()
        order.append(name)
        await asyncio.sleep(0)

    with scheduler.participant("small") as small, scheduler.participant("flood") as flood:
        await small.come()
        waiting = asyncio.ensure_future(go(flood, "flood"))
        await asyncio.sleep(0)
        await go(small, "small")
        small.rest()
        await waiting
    return order


def test_who_had_much_lately_waits_while_another_has_a_turn() -> None:
    assert asyncio.run(_order({"flood": 0.3, "small": 0.01})) == ["small", "flood"]


def test_who_had_about_as_much_waits_for_nobody_while_a_turn_is_free() -> None:
    assert asyncio.run(_order({"flood": 0.02, "small": 0.01})) == ["flood", "small"]


async def _together(count: int, seconds: float) -> tuple[int, float]:
    """The most lives of one tenant at the same time, and how long all took."""
    scheduler, now, most, began = FairScheduler(), 0, 0, time.monotonic()

    async def live() -> None:
        nonlocal now, most
        with scheduler.participant("one") as part:
            await part.come()
            now += 1
            most = max(most, now)
            await asyncio.sleep(seconds)
            now -= 1

    await asyncio.gather(*(live() for _ in range(count)))
    return most, time.monotonic() - began


def test_only_a_few_are_at_the_processor() -> None:
    most, _ = asyncio.run(_together(6, 0.001))
    assert most == AT_ONCE


def test_a_step_that_waits_for_something_else_keeps_nobody() -> None:
    most, seconds = asyncio.run(_together(6, 0.4))
    assert most == 6
    assert seconds < 2 * 0.4


async def _after_cancelled(count: int) -> list[str]:
    """Who got a turn after all, of those that were cancelled and one that waited behind them."""
    worker = Worker(FairScheduler(), 0)
    scheduler = worker.scheduler
    with scheduler.participant("one") as first, scheduler.participant("one") as second:
        await first.come()
        await second.come()
        waiting = [asyncio.ensure_future(worker.live("cancelled")) for _ in range(count)]
        await asyncio.sleep(0)
        for each in waiting:
            each.cancel()
        last = asyncio.ensure_future(worker.live("last"))
        await asyncio.sleep(0)
        first.rest()
        await last
    return worker.steps


def test_who_was_cancelled_while_waiting_takes_no_turn() -> None:
    assert asyncio.run(asyncio.wait_for(_after_cancelled(3), 5)) == ["last"] * STEPS


def test_tenants_of_long_ago_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr("veridical.runs.fair_scheduler.time.monotonic", lambda: clock[0])
    scheduler = FairScheduler()
    for number in range(100):
        scheduler.end(Slot(f"tenant {number}", clock[0] - 0.02))
        clock[0] += 1.0
    assert len(scheduler._had) < 10  # pyright: ignore[reportPrivateUsage]


@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=12))
@settings(max_examples=30, deadline=None)
def test_everybody_gets_there(tenants: list[str]) -> None:
    worker = asyncio.run(asyncio.wait_for(_lived(Worker(FairScheduler(), 0), *tenants), 5))
    assert sorted(worker.steps) == sorted(tenants * STEPS)
