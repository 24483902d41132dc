"""Tenants at one worker: who has many runs there waits for who has few."""

import asyncio
import time
from contextlib import ExitStack

import pytest

from veridical.runs.turns import Turns

STEPS = 10


class Worker:
    """Lives that block the thread for a moment in each of their steps."""

    def __init__(self, turns: Turns, seconds: float) -> None:
        self.turns = turns
        self.seconds = seconds
        self.steps: list[str] = []

    async def live(self, tenant: str) -> None:
        with self.turns.taking_part(tenant):
            for _ in range(STEPS):
                await self.turns.come(tenant)
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


def test_who_has_few_does_not_wait_for_all_of_the_others() -> None:
    worker = asyncio.run(_lived(Worker(Turns(), 0.004), *["flood"] * 8, "small"))
    assert worker.before_the_last_of("small") < 8 * STEPS / 2
    assert worker.steps.count("flood") == 8 * STEPS


def test_equals_take_turns_as_they_come() -> None:
    worker = asyncio.run(_lived(Worker(Turns(), 0.004), "one", "other"))
    assert worker.before_the_last_of("one") >= STEPS - 1


async def _lets_others_go_first(*tenants: str, gone: str = "") -> bool:
    turns, first = Turns(), list[str]()
    with ExitStack() as lives:
        for tenant in tenants:
            lives.enter_context(turns.taking_part(tenant))
        if gone:
            with turns.taking_part(gone):
                pass
        asyncio.get_running_loop().call_soon(first.append, "others")
        await turns.come("flood")
        return bool(first)


@pytest.mark.parametrize(
    "tenants", [["flood"] * 3, ["flood", "small"], ["flood", "flood", "s", "s"]]
)
def test_nobody_waits_alone_or_beside_equals(tenants: list[str]) -> None:
    assert not asyncio.run(_lets_others_go_first(*tenants))


def test_who_has_many_waits_while_there_is_one_with_few() -> None:
    assert asyncio.run(_lets_others_go_first("flood", "flood", "small"))
    assert not asyncio.run(_lets_others_go_first("flood", "flood", gone="small"))
