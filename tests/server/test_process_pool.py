"""The pool of the server: what comes of tasks, and what becomes of those that do not end."""

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable

import psutil
import pytest

from veridical.contracts.language import Language
from veridical.gate.policy import Policy
from veridical.server.problem import ProblemCode, ProblemError
from veridical.server.process_pool import PoolLimits, ProcessPool
from veridical.server.tasks import Task, TaskCaller, TaskContext

ASKER = TaskCaller(language=Language.EN)
LIGHT = json.dumps({"answer": "It was 4,711.", "evidence": [{"n": 4711}]}).encode()
HEAVY = json.dumps({"answer": "It was 4711: " + "a" * 60 + "!", "evidence": []}).encode()
ENDLESS = Policy(allow_patterns=(r"(a+)+$",))
"""An expression that never comes to an end on some texts."""


def with_pool(policy: Policy, story: Callable[[ProcessPool], Awaitable[None]]) -> None:
    async def at_work() -> None:
        pool = ProcessPool(TaskContext({}, policy), PoolLimits(seconds=1))
        async with pool.at_work():
            await story(pool)

    asyncio.run(at_work())


async def gated(pool: ProcessPool, body: bytes = LIGHT) -> str:
    told = await pool.do(Task.GATE, "acme", ASKER, body)
    return json.loads(told.partition(b"\n")[2])["verdict"]


OTHERS: set[int] = set()
"""The fork servers that other tests of this process have started."""


@pytest.fixture(autouse=True)
def _own_fork_servers_only() -> None:
    OTHERS.clear()
    OTHERS.update(each.pid for each in fork_servers())


def fork_servers() -> list[psutil.Process]:
    started = (each for each in psutil.Process().children() if each.pid not in OTHERS)
    return [each for each in started if "veridical.limited_process.fork_server" in typed(each)]


def typed(process: psutil.Process) -> list[str]:
    """Its command; of one that has just ended, nothing."""
    try:
        return process.cmdline()
    except psutil.NoSuchProcess:
        return []


@pytest.mark.parametrize("moments", [0, 1, 5])
def test_stopping_it_early_is_no_trouble(caplog: pytest.LogCaptureFixture, moments: int) -> None:
    async def stopped_early(pool: ProcessPool) -> None:
        for _ in range(moments):
            await asyncio.sleep(0.02)
        await pool.end()  # as a server does that is asked to stop

    with caplog.at_level(logging.WARNING):
        with_pool(Policy(), stopped_early)
    assert caplog.messages == []


def test_work_without_end_is_ended_and_nothing_else_is() -> None:
    async def story(pool: ProcessPool) -> None:
        assert await gated(pool) == "pass"
        began = time.monotonic()
        with pytest.raises(ProblemError) as refused:
            await gated(pool, HEAVY)
        assert refused.value.code is ProblemCode.TOO_MUCH_WORK
        assert time.monotonic() - began < 5
        assert await gated(pool) == "pass"
        (server,) = fork_servers()
        assert server.children() == []

    with_pool(ENDLESS, story)
    assert fork_servers() == []


def test_what_is_wrong_with_a_request_is_told() -> None:
    async def story(pool: ProcessPool) -> None:
        with pytest.raises(ProblemError) as refused:
            await gated(pool, b'{"evidence": []}')
        assert refused.value.code is ProblemCode.INVALID
        assert [each.where for each in refused.value.faults] == ["body/answer"]

    with_pool(Policy(), story)


def test_a_fork_server_that_is_gone_is_replaced() -> None:
    async def story(pool: ProcessPool) -> None:
        await gated(pool)
        (first,) = fork_servers()
        first.kill()
        first.wait(5)
        assert await gated(pool) == "pass"

    with_pool(Policy(), story)


def test_a_new_context_is_used_as_soon_as_it_is_loaded() -> None:
    async def story(pool: ProcessPool) -> None:
        assert await gated(pool, HEAVY)
        await pool.replace_context(TaskContext({}, ENDLESS))
        with pytest.raises(ProblemError):
            await gated(pool, HEAVY)

    with_pool(Policy(), story)


def test_whoever_leaves_leaves_no_work_behind() -> None:
    async def story(pool: ProcessPool) -> None:
        await gated(pool)
        (server,) = fork_servers()
        leaving = asyncio.ensure_future(gated(pool, HEAVY))
        while not server.children():
            await asyncio.sleep(0.01)
        leaving.cancel()
        for _ in range(200):
            if not server.children():
                break
            await asyncio.sleep(0.01)
        assert server.children() == []

    with_pool(ENDLESS, story)
