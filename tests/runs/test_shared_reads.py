"""Reads that are shared by all who watch a run."""

import asyncio
import threading

import pytest

from veridical.contracts.step import Progress
from veridical.runs.run_watcher import News, SharedReads
from veridical.runs.state import WatchedEvent


class Table:
    """The events of a run, read as slowly as wanted; ``begun`` are the reads."""

    def __init__(self) -> None:
        self.events = [0]
        self.begun: list[int] = []
        self.may_go_on = threading.Event()
        self.fails = False

    def read(self, run_id: str, tenant: str, after: int) -> News:
        found = [each for each in self.events if each > after]
        self.begun.append(after)
        assert self.may_go_on.wait(10)
        if self.fails:
            raise ConnectionError
        return [_event(each) for each in found], False


def _event(sequence: int) -> WatchedEvent:
    return WatchedEvent(sequence=sequence, event=Progress(stage="asking", round=sequence))


def _numbers(news: News) -> list[int | None]:
    return [each.sequence for each in news[0]]


async def _begun(table: Table, count: int) -> None:
    while len(table.begun) < count:
        await asyncio.sleep(0.001)


def test_who_asks_while_one_goes_on_shares_the_next() -> None:
    table = Table()

    async def watched() -> list[list[int | None]]:
        reads = SharedReads(table.read)
        first = asyncio.create_task(reads.news("run", "acme", -1))
        await _begun(table, 1)
        table.events.append(1)  # too late for the read that goes on
        others = [asyncio.create_task(reads.news("run", "acme", after)) for after in (0, -1, 0)]
        await asyncio.sleep(0)
        table.may_go_on.set()
        return [_numbers(each) for each in await asyncio.gather(first, *others)]

    assert asyncio.run(watched()) == [[0], [1], [0, 1], [1]]
    assert table.begun == [-1, -1]


def test_runs_and_tenants_are_read_apart() -> None:
    table = Table()
    table.may_go_on.set()

    async def watched() -> None:
        reads = SharedReads(table.read)
        names = (("a", "acme"), ("a", "globex"), ("b", "acme"))
        await asyncio.gather(*(reads.news(run, tenant, -1) for run, tenant in names))

    asyncio.run(watched())
    assert len(table.begun) == 3


def test_one_who_leaves_takes_nothing_from_the_others() -> None:
    table = Table()

    async def watched() -> News:
        reads = SharedReads(table.read)
        one, other = (asyncio.create_task(reads.news("run", "acme", -1)) for _ in range(2))
        await _begun(table, 1)
        one.cancel()
        table.may_go_on.set()
        return await other

    assert _numbers(asyncio.run(watched())) == [0]


def test_an_error_reaches_everybody_and_the_next_read_goes_on() -> None:
    table = Table()
    table.may_go_on.set()
    table.fails = True

    async def watched() -> News:
        reads = SharedReads(table.read)
        asked = (reads.news("run", "acme", -1) for _ in range(2))
        for each in await asyncio.gather(*asked, return_exceptions=True):
            assert isinstance(each, ConnectionError)
        with pytest.raises(ConnectionError):
            await reads.news("run", "acme", -1)
        table.fails = False
        return await reads.news("run", "acme", -1)

    assert _numbers(asyncio.run(watched())) == [0]
