"""RunWatcher: every event once and in order, live, whatever the connection or the database does."""

import asyncio
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing

import psycopg
import pytest

from tests.runs.asked import asked, at, away, drop_connections, finished, rows, until, working
from tests.runs.conftest import OTHER, TENANT
from tests.runs.entries import ending, told
from veridical.answering.feature import Feature
from veridical.contracts.step import Progress
from veridical.runs.journal import Entry, Journal
from veridical.runs.port import Runs
from veridical.runs.settings import RunsSettings
from veridical.runs.state import WatchedEvent
from veridical.store.connection import Store

pytestmark = pytest.mark.postgres

SOON = 3.0
"""Before a watcher looks by itself."""


@pytest.fixture
def journal(runs_url: str) -> Iterator[Journal]:
    store = Store(runs_url)
    journal = Journal(store)
    journal.start()
    yield journal
    journal.close()
    store.close()


async def next_of(watched: AsyncGenerator[WatchedEvent], seconds: float = 20) -> WatchedEvent:
    async with asyncio.timeout(seconds):
        return await anext(watched)


def listeners(url: str) -> list[int]:
    with psycopg.connect(url) as connection:
        found = connection.execute(
            "SELECT pid FROM pg_stat_activity WHERE datname = current_database()"
            " AND query = 'LISTEN veridical_runs'"
        )
        return [row[0] for row in found]


def test_a_whole_run_is_seen_once_and_in_order(
    runs: Runs, settings: RunsSettings, trustee: Feature
) -> None:
    async def story() -> None:
        run_id = runs.start(asked(), TENANT, "Ada").run_id
        async with working(settings, at(trustee)):
            live = [each async for each in runs.watch(run_id, TENANT)]
        numbers = [each.sequence for each in live if each.sequence is not None]
        assert numbers == list(range(len(numbers)))
        assert live[-1].event.kind == "answered"
        again = [each async for each in runs.watch(run_id, TENANT)]
        assert again == [each for each in live if each.sequence is not None]
        assert [each async for each in runs.watch(run_id, TENANT, after=1)] == again[2:]

    asyncio.run(story())


def test_events_come_as_they_happen(runs: Runs, journal: Journal) -> None:
    async def story() -> None:
        run_id = runs.start(asked(), TENANT, "Ada").run_id
        async with aclosing(runs.watch(run_id, TENANT)) as watched:
            coming = asyncio.ensure_future(next_of(watched))
            await until(lambda: listeners(runs.settings.database_url))
            for place in range(3):
                journal.add(told(run_id, place))
                async with asyncio.timeout(SOON):
                    assert (await coming).sequence == place
                coming = asyncio.ensure_future(next_of(watched))
            coming.cancel()

    asyncio.run(story())


def test_progress_is_passed_on_and_never_kept(runs: Runs, journal: Journal, store: Store) -> None:
    async def story() -> None:
        run_id = runs.start(asked(), TENANT, "Ada").run_id
        async with aclosing(runs.watch(run_id, TENANT)) as watched:
            coming = asyncio.ensure_future(next_of(watched))
            await until(lambda: listeners(runs.settings.database_url))
            writing = Progress(stage="writing", round=1, text="Der Saldo")
            journal.add(Entry("another run", "another run", progress=writing))
            journal.add(Entry(run_id, run_id, progress=writing))
            seen = await coming
        assert (seen.sequence, seen.event) == (None, writing)
        assert rows(store, "SELECT count(*) FROM veridical.events") == [(0,)]

    asyncio.run(story())


def test_nothing_is_lost_when_the_listening_connection_is(runs: Runs, journal: Journal) -> None:
    async def story() -> None:
        run_id = runs.start(asked(), TENANT, "Ada").run_id
        url = runs.settings.database_url
        async with aclosing(runs.watch(run_id, TENANT)) as watched:
            coming = asyncio.ensure_future(next_of(watched))
            (before,) = await until(lambda: listeners(url))
            drop_connections(url)
            journal.add(told(run_id, 0))
            assert (await coming).sequence == 0
            (now,) = await until(lambda: listeners(url))
            assert now != before
            coming = asyncio.ensure_future(next_of(watched))
            journal.add(told(run_id, 1))
            async with asyncio.timeout(SOON):
                assert (await coming).sequence == 1

    asyncio.run(story())


def test_watching_outlasts_a_database_that_is_away(runs: Runs, journal: Journal) -> None:
    async def story() -> None:
        run_id = runs.start(asked(), TENANT, "Ada").run_id
        url = runs.settings.database_url
        async with aclosing(runs.watch(run_id, TENANT)) as watched:
            coming = asyncio.ensure_future(next_of(watched))
            await until(lambda: listeners(url))
            with away(url):
                journal.add(told(run_id, 0, 1, ending=ending(run_id)))
                await asyncio.sleep(0.5)
                assert not coming.done()
            seen = [await coming, *[each async for each in watched]]
        assert [each.sequence for each in seen] == [0, 1]

    asyncio.run(story())


def test_one_connection_listens_for_all(runs: Runs, journal: Journal) -> None:
    async def story() -> None:
        started = [runs.start(asked(), TENANT, "Ada").run_id for _ in range(20)]

        async def whole(run_id: str) -> list[int | None]:
            return [each.sequence async for each in runs.watch(run_id, TENANT)]

        watcher = [asyncio.ensure_future(whole(run_id)) for run_id in started * 3]
        await until(lambda: listeners(runs.settings.database_url))
        for run_id in started:
            for place in range(3):
                journal.add(told(run_id, place))
            journal.add(told(run_id, 3, ending=ending(run_id)))
        async with asyncio.timeout(30):
            seen = await asyncio.gather(*watcher)
        assert seen == [[0, 1, 2, 3]] * 60
        assert len(listeners(runs.settings.database_url)) == 1

    asyncio.run(story())


def test_a_run_that_is_cancelled_ends_for_its_watchers(runs: Runs) -> None:
    async def story() -> None:
        run_id = runs.start(asked(), TENANT, "Ada").run_id
        async with aclosing(runs.watch(run_id, TENANT)) as watched:
            coming = asyncio.ensure_future(anext(watched, None))
            await until(lambda: listeners(runs.settings.database_url))
            await asyncio.to_thread(runs.cancel, run_id, TENANT, "Ada")
            async with asyncio.timeout(SOON):
                assert await coming is None

    asyncio.run(story())


def test_nobody_watches_the_run_of_another_tenant(
    runs: Runs, settings: RunsSettings, trustee: Feature
) -> None:
    async def story() -> None:
        run_id = runs.start(asked(), TENANT, "Ada").run_id
        async with working(settings, at(trustee)):
            await finished(runs, run_id, TENANT)
        assert [each async for each in runs.watch(run_id, OTHER)] == []
        assert [each async for each in runs.watch("none", TENANT)] == []

    asyncio.run(story())


def test_closing_ends_all_watching(runs: Runs) -> None:
    async def story() -> None:
        run_id = runs.start(asked(), TENANT, "Ada").run_id
        watched = runs.watch(run_id, TENANT)
        coming = asyncio.ensure_future(anext(watched, None))
        await until(lambda: listeners(runs.settings.database_url))
        await asyncio.to_thread(runs.watcher.close)
        async with asyncio.timeout(SOON):
            assert await coming is None

    asyncio.run(story())
