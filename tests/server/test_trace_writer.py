import asyncio
import threading
from collections.abc import Sequence

import pytest
from sqlalchemy.exc import DataError

from tests.trace.runs import repaired_run
from veridical.contracts.trace import AgentTrace
from veridical.server.metrics import Metrics
from veridical.server.trace_writer import TraceWriter
from veridical.store.connection import UnreachableError, UnreachableReason


class _Kept:
    """A store in memory that can be away, slow, or picky."""

    def __init__(self) -> None:
        self.traces: dict[str, AgentTrace] = {}
        self.away = False
        self.refused = ""
        self.free = threading.Event()
        self.free.set()

    def save(self, traces: Sequence[AgentTrace]) -> None:
        assert self.free.wait(5)
        if self.away:
            raise UnreachableError(UnreachableReason.NO_ANSWER)
        if any(trace.trace_id == self.refused for trace in traces):
            raise DataError("refused", {}, Exception())
        self.traces |= {trace.trace_id: trace for trace in traces}


def _writer(store: _Kept, most: int = 100) -> tuple[TraceWriter, Metrics]:
    metrics = Metrics()
    return TraceWriter(store.save, 0.01, most, metrics), metrics


def test_all_that_was_kept_is_written_at_the_end() -> None:
    store = _Kept()

    async def work() -> None:
        writer, _ = _writer(store, most=1000)
        async with writer.at_work():
            for number in range(250):
                writer.keep(repaired_run(f"run-{number}"))

    asyncio.run(work())
    assert len(store.traces) == 250


def test_keeping_never_waits_for_the_store() -> None:
    store = _Kept()
    store.free.clear()

    async def work() -> None:
        writer, metrics = _writer(store, most=3)
        async with writer.at_work():
            for number in range(5):
                writer.keep(repaired_run(f"run-{number}"))
            assert "veridical_traces_lost_total 2.0" in metrics.text().decode()
            store.free.set()

    asyncio.run(work())
    assert len(store.traces) == 3


def test_what_a_store_refuses_is_tried_again() -> None:
    store = _Kept()
    store.away = True

    async def work() -> None:
        writer, _ = _writer(store)
        async with writer.at_work():
            writer.keep(repaired_run("run-1"))
            await asyncio.sleep(0.05)
            assert not store.traces
            store.away = False
            await writer.settled("run-1")
            assert "run-1" in store.traces

    asyncio.run(work())


def test_a_server_that_stops_does_not_wait_for_ever(caplog: pytest.LogCaptureFixture) -> None:
    store = _Kept()
    store.away = True

    async def work() -> None:
        writer, metrics = _writer(store)
        async with writer.at_work():
            writer.keep(repaired_run("run-1"))
        assert "veridical_traces_lost_total 1.0" in metrics.text().decode()

    asyncio.run(asyncio.wait_for(work(), 10))
    assert "could not be written" in caplog.text


def test_one_that_is_refused_does_not_hold_up_the_others() -> None:
    store = _Kept()
    store.refused = "run-3"

    async def work() -> None:
        writer, metrics = _writer(store)
        async with writer.at_work():
            for number in range(6):
                writer.keep(repaired_run(f"run-{number}"))
        assert "veridical_traces_lost_total 1.0" in metrics.text().decode()

    asyncio.run(work())
    assert sorted(store.traces) == ["run-0", "run-1", "run-2", "run-4", "run-5"]
