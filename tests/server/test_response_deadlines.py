import asyncio

import pytest

from veridical.server.problem import ProblemCode
from veridical.server.response_deadlines import ResponseDeadlines


async def _waited(deadlines: ResponseDeadlines, seconds: float) -> ProblemCode | None:
    """What somebody is told whose response takes so long to begin."""
    with deadlines.track() as deadline:
        try:
            async with deadline:
                await asyncio.sleep(seconds)
        except TimeoutError:
            return deadlines.missed.code
    return None


@pytest.mark.parametrize(
    ("takes", "told"), [(0.0, None), (30.0, ProblemCode.TIMED_OUT)], ids=["soon", "late"]
)
def test_a_response_begins_in_its_time(takes: float, told: ProblemCode | None) -> None:
    async def run() -> ProblemCode | None:
        return await _waited(ResponseDeadlines(0.05, asyncio.Event(), 60.0), takes)

    assert asyncio.run(run()) is told


def test_a_stopping_server_tells_those_for_whom_there_is_no_time() -> None:
    async def run() -> list[ProblemCode | None]:
        closing = asyncio.Event()
        deadlines = ResponseDeadlines(60.0, closing, 0.25)
        async with deadlines.at_work():
            waiting = [asyncio.ensure_future(_waited(deadlines, each)) for each in (0.05, 30.0)]
            await asyncio.sleep(0)
            closing.set()
            await asyncio.sleep(0)
            late = await _waited(deadlines, 30.0)
            return [*await asyncio.gather(*waiting), late]

    assert asyncio.run(run()) == [None, ProblemCode.CLOSING, ProblemCode.CLOSING]


def test_what_has_begun_may_last() -> None:
    async def run() -> bool:
        closing = asyncio.Event()
        deadlines = ResponseDeadlines(60.0, closing, 0.01)
        async with deadlines.at_work():
            with deadlines.track() as deadline:
                async with deadline:
                    deadlines.met(deadline)
                    closing.set()
                    await asyncio.sleep(0.1)
            return deadline.expired()

    assert not asyncio.run(run())
