"""A pool that is stopped while it still loads."""

import asyncio
import logging

import pytest

from veridical.gate.policy import Policy
from veridical.server.process_pool.pool import PoolLimits, ProcessPool
from veridical.server.process_pool.task_context import TaskContext


@pytest.mark.parametrize("moments", [0, 1, 5])
def test_stopping_it_early_is_no_trouble(caplog: pytest.LogCaptureFixture, moments: int) -> None:
    async def stopped_early() -> None:
        pool = ProcessPool(TaskContext({}, Policy()), PoolLimits())
        async with pool.at_work():
            for _ in range(moments):
                await asyncio.sleep(0.02)
            await pool.end()  # as a server does that is asked to stop

    with caplog.at_level(logging.WARNING, "veridical.process_pool"):
        asyncio.run(stopped_early())
    assert caplog.messages == []
