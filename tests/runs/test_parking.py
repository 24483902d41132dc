"""Runs that can't begin, since their tenant is at its limit."""

import asyncio
import time
from collections.abc import Sequence

import psycopg
import pytest

from tests.runs.asked import asked, at, finished, rows, until, working
from tests.runs.conftest import OTHER, TENANT
from veridical.answering.feature import Feature
from veridical.runs.dbos_setup import enqueue
from veridical.runs.dbos_tables import PARKED, QUEUE
from veridical.runs.parking import park_runs
from veridical.runs.port import Runs
from veridical.runs.request import RunSegment
from veridical.runs.settings import RunsSettings
from veridical.store.connection import Store, become
from veridical.store.protection import DatabaseRole

pytestmark = pytest.mark.postgres

_COMMITTED = "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()"


def queue_up(runs: Runs, tenants: Sequence[str], number: int) -> None:
    """So many queued segments for each of these tenants, in one transaction; nobody asked for
    them."""
    with runs.store.system() as connection:
        become(connection, DatabaseRole.DBOS)
        for tenant in tenants:
            for place in range(number):
                segment = RunSegment(
                    run_id=f"{tenant}-{place}", tenant=tenant, asked_by="Ada", request=asked()
                )
                enqueue(runs.client, connection, segment)


def take_elsewhere(store: Store, number: int) -> None:
    """Another worker, which never goes silent, has the first runs of each tenant."""
    rows(
        store,
        "INSERT INTO veridical.workers (executor_id, version, seen_at)"
        " VALUES ('elsewhere', '1', now() + interval '1 day') ON CONFLICT DO NOTHING",
    )
    rows(
        store,
        "UPDATE dbos.workflow_status SET status = 'PENDING', executor_id = 'elsewhere',"
        " rate_limited = true, started_at_epoch_ms = extract(epoch FROM now()) * 1000"
        " WHERE split_part(workflow_uuid, '-', 2)::int < :number",
        number=number,
    )


def queue_by_run(store: Store) -> dict[str, str]:
    """The queue of each run that waits for a worker."""
    sql = "SELECT workflow_uuid, queue_name FROM dbos.workflow_status WHERE status = 'ENQUEUED'"
    return dict(rows(store, sql))  # pyright: ignore[reportArgumentType] # both are texts


def end_runs(store: Store, run_id: str) -> None:
    """The other worker is done with it."""
    sql = "UPDATE dbos.workflow_status SET status = 'SUCCESS' WHERE workflow_uuid = :run"
    rows(store, sql, run=run_id)


def test_runs_of_a_tenant_at_its_limit_are_parked_and_the_oldest_put_back(
    runs: Runs, settings: RunsSettings, store: Store
) -> None:
    narrow = settings.model_copy(update={"tenant_concurrency": 2})
    queue_up(runs, ["full"], 5)
    take_elsewhere(store, 2)
    queue_up(runs, ["roomy"], 3)
    assert park_runs(store, narrow) == (3, 0)
    queues = queue_by_run(store)
    assert {run for run, queue in queues.items() if queue == PARKED} == {
        "full-2",
        "full-3",
        "full-4",
    }
    assert park_runs(store, narrow) == (0, 0)
    end_runs(store, "full-0")
    assert park_runs(store, narrow) == (0, 1)
    assert queue_by_run(store)["full-2"] == QUEUE
    assert park_runs(store, narrow) == (0, 0)  # that one has the room until a worker takes it
    assert runs.load().queued == 6


def test_runs_beyond_so_many_a_minute_are_parked_until_it_is_over(
    runs: Runs, settings: RunsSettings, store: Store
) -> None:
    limited = settings.model_copy(update={"tenant_per_minute": 1})
    queue_up(runs, ["full"], 3)
    take_elsewhere(store, 1)
    end_runs(store, "full-0")
    assert park_runs(store, limited) == (2, 0)
    assert park_runs(store, limited) == (0, 0)
    rows(store, "UPDATE dbos.workflow_status SET started_at_epoch_ms = 0")
    assert park_runs(store, limited) == (0, 1)


def test_a_new_run_waits_behind_parked_ones_of_its_own_tenant_only(
    runs: Runs, settings: RunsSettings, store: Store
) -> None:
    queue_up(runs, [TENANT], 3)
    take_elsewhere(store, 2)
    park_runs(store, settings.model_copy(update={"tenant_concurrency": 2}))
    behind = runs.start(asked(), TENANT, "Ada").run_id
    beside = runs.start(asked(), OTHER, "Bob").run_id
    queues = queue_by_run(store)
    assert (queues[behind], queues[beside]) == (PARKED, QUEUE)


def test_while_one_worker_parks_another_does_not(
    runs: Runs, settings: RunsSettings, store: Store
) -> None:
    queue_up(runs, ["full"], 3)
    take_elsewhere(store, 2)
    narrow = settings.model_copy(update={"tenant_concurrency": 2})
    with store.engine.begin() as connection:
        connection.exec_driver_sql("SELECT pg_advisory_xact_lock(130178049208939)")
        assert park_runs(store, narrow) == (0, 0)
    assert park_runs(store, narrow) == (1, 0)


def test_waiting_tenants_cost_no_transactions(
    runs: Runs, settings: RunsSettings, store: Store, trustee: Feature
) -> None:
    """A hundred of them: without parking, each would cost one whenever a worker looks."""
    crowded = settings.model_copy(update={"tenant_concurrency": 2, "poll_seconds": 0.2})
    queue_up(runs, [f"t{number}" for number in range(100)], 3)
    take_elsewhere(store, 2)

    async def story() -> float:
        async with working(crowded, at(trustee)):
            await until(lambda: set(queue_by_run(store).values()) == {PARKED}, 60)
            await asyncio.sleep(2)  # statistics are written by then
            before, began = await asyncio.to_thread(committed, settings), time.monotonic()
            await asyncio.sleep(5)
            after = await asyncio.to_thread(committed, settings)
            return (after - before) / (time.monotonic() - began)

    assert asyncio.run(story()) < 40


def committed(settings: RunsSettings) -> int:
    """Transactions on this database so far."""
    with psycopg.connect(settings.database_url, autocommit=True) as connection:
        row = connection.execute(_COMMITTED).fetchone()
    assert row is not None
    return row[0]


def test_parked_runs_are_all_done_in_the_end(
    runs: Runs, settings: RunsSettings, store: Store, trustee: Feature
) -> None:
    narrow = settings.model_copy(update={"tenant_concurrency": 2})
    flood = [runs.start(asked(), TENANT, "Ada").run_id for _ in range(8)]
    small = [runs.start(asked(), OTHER, "Bob").run_id for _ in range(2)]

    async def story() -> None:
        async with working(narrow, at(trustee)):
            for run_id in small:
                await finished(runs, run_id, OTHER)
            for run_id in flood:
                assert (await finished(runs, run_id, TENANT)).answer is not None

    asyncio.run(story())
    assert queue_by_run(store) == {}
