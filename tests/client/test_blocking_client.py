"""Blocking calls from anywhere: other threads, a running loop, Ctrl+C."""

import asyncio
import signal
import subprocess
import sys
import time
from concurrent.futures import CancelledError, ThreadPoolExecutor

import pytest

from veridical.client.blocking_client import LoopThread


async def _named(name: str) -> str:
    await asyncio.sleep(0.01)
    return name


def test_threads_share_one_loop() -> None:
    names = [str(number) for number in range(20)]
    with LoopThread() as loop, ThreadPoolExecutor(4) as pool:
        assert list(pool.map(loop.run, map(_named, names))) == names


def test_a_thread_with_a_running_loop_may_wait() -> None:
    async def program(loop: LoopThread) -> str:
        return loop.run(_named("here"))

    with LoopThread() as loop:
        assert asyncio.run(program(loop)) == "here"


def test_errors_arrive() -> None:
    async def broken() -> None:
        raise LookupError("gone")

    with LoopThread() as loop, pytest.raises(LookupError, match="gone"):
        loop.run(broken())


def test_a_call_that_would_wait_for_itself_is_refused() -> None:
    async def inside(loop: LoopThread) -> str:
        return loop.run(_named("never"))

    with LoopThread() as loop, pytest.raises(RuntimeError, match="async with"):
        loop.run(inside(loop))


def test_a_closed_one_says_so() -> None:
    with LoopThread() as loop:
        pass
    with pytest.raises(RuntimeError, match="closed"):
        loop.run(_named("late"))


def test_what_still_runs_is_cancelled_at_the_end() -> None:
    ended: list[str] = []

    async def long() -> None:
        try:
            await asyncio.sleep(600)
        finally:
            ended.append("cancelled")

    with ThreadPoolExecutor(1) as pool:
        with LoopThread() as loop:
            waiting = pool.submit(loop.run, long())
            time.sleep(0.1)
        assert isinstance(waiting.exception(5), CancelledError)
    assert ended == ["cancelled"]


_INTERRUPTED = """
import asyncio
import signal
from veridical.client.blocking_client import LoopThread

async def long():
    try:
        await asyncio.sleep(0.5)  # until the caller waits
        print("began", flush=True)
        await asyncio.sleep(600)
    finally:
        print("ended", flush=True)

# A shell that starts the tests in the background has Ctrl+C ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
with LoopThread() as loop:
    loop.run(long())
"""


def test_ctrl_c_ends_what_is_asked() -> None:
    program = subprocess.Popen(
        [sys.executable, "-c", _INTERRUPTED],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert program.stdout is not None
    assert program.stdout.readline() == "began\n"
    program.send_signal(signal.SIGINT)
    out, err = program.communicate(timeout=60)
    assert out == "ended\n"
    assert err.rstrip().endswith("KeyboardInterrupt")
    assert program.returncode == -signal.SIGINT
