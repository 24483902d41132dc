import asyncio
import threading

import pytest

from tests.trace.runs import NOON, repaired_run
from veridical.contracts.question import Question
from veridical.contracts.trace import AgentTrace, Event, RunStarted
from veridical.server.metrics import Metrics
from veridical.server.trace_writer import TraceWriter
from veridical.trace.redact import REDACTED
from veridical.trace.store import StoreError

SECRET = "sk-0123456789abcdef0123"


class _Kept:
    """A store in memory that can be away, or slow."""

    def __init__(self) -> None:
        self.traces: dict[str, AgentTrace] = {}
        self.away = False
        self.free = threading.Event()
        self.free.set()

    def save(self, trace: AgentTrace) -> None:
        assert self.free.wait(5)
        if self.away:
            raise StoreError("away")
        self.traces[trace.trace_id] = trace

    def save_event(self, trace_id: str, sequence: int, event: Event) -> None:
        raise NotImplementedError

    def load(self, trace_id: str, tenant: str | None = None) -> AgentTrace | None:
        return self.traces.get(trace_id)

    def recent(self, limit: int = 20, tenant: str | None = None) -> tuple[AgentTrace, ...]:
        return ()

    def close(self) -> None:
        """Nothing to let go of."""


def _writer(store: _Kept, most: int = 100) -> tuple[TraceWriter, Metrics]:
    metrics = Metrics()
    return TraceWriter(store, 0.01, most, metrics), metrics


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


def test_secrets_are_taken_out() -> None:
    store = _Kept()
    asked = RunStarted(at=NOON, question=Question(text=f"My key is {SECRET}"), caller="Ada")

    async def work() -> None:
        writer, _ = _writer(store)
        async with writer.at_work():
            writer.keep(AgentTrace(trace_id="run-1", events=(asked,)))

    asyncio.run(work())
    assert SECRET not in str(store.traces)
    assert REDACTED in str(store.traces)
