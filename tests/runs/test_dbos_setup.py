import asyncio
import logging
from collections.abc import AsyncGenerator
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from dbos._sys_db import db_retry
from sqlalchemy import make_url
from sqlalchemy.exc import OperationalError

from tests.runs.asked import OPEN, asked, at, ended, finished, rows, until, working
from tests.runs.conftest import OTHER, TENANT
from tests.runs.slow_model import prepare_marks, slow_model
from veridical.answering.feature import Feature
from veridical.runs.dbos_setup import (
    VERSION,
    ask_again_soon,
    dbos_config,
    engine_database,
    prepare_engine,
    quiet,
    runtime_url,
)
from veridical.runs.encoding import JsonSerializer
from veridical.runs.port import Load, Runs, open_runs
from veridical.runs.retry import LONGEST_WAIT
from veridical.runs.settings import RunsSettings
from veridical.store.connection import Store

URL = "postgresql://u:p%40ss@h/d?options=-c%20geqo%3Doff"


def test_the_engine_acts_under_its_own_role() -> None:
    address = make_url(runtime_url(RunsSettings(database_url=URL)))
    assert address.query["options"] == "-c geqo=off -c role=veridical_dbos"
    assert address.password == "p@ss"


def test_behind_pgbouncer_nothing_is_set_or_prepared_on_a_connection() -> None:
    settings = RunsSettings(database_url=URL, pgbouncer=True)
    with engine_database(settings) as database:
        config = dbos_config(settings, "me", database)
        assert config.get("system_database_engine") is database
        assert config.get("use_listen_notify") is False
        assert database.url.query == make_url(URL).query


def test_what_the_engine_logs_goes_where_this_process_logs(
    caplog: pytest.LogCaptureFixture,
) -> None:
    logger = logging.getLogger("dbos")
    logger.propagate = False  # as DBOS itself sets it with its handler
    logger.addHandler(logging.StreamHandler())
    quiet()
    logger.info("chatter")
    logger.warning("trouble")
    assert [each.getMessage() for each in caplog.records] == ["trouble"]
    assert logger.handlers == []


def test_the_engine_keeps_json_and_every_release_takes_up_every_run() -> None:
    settings = RunsSettings(database_url=URL)
    with engine_database(settings) as database:
        config = dbos_config(settings, "me", database)
    assert isinstance(config.get("serializer"), JsonSerializer)
    assert config.get("enable_patching") is True
    assert config.get("application_version") == VERSION == "lives-1"
    assert config.get("executor_id") == "me"


@pytest.mark.postgres
def test_the_engine_owns_its_tables_and_preparing_twice_changes_nothing(
    settings: RunsSettings, store: Store
) -> None:
    prepare_engine(settings)
    owners = rows(store, "SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'dbos'")
    assert owners == [("veridical_dbos",)]


@pytest.mark.postgres
def test_workers_that_start_together_prepare_in_turns(settings: RunsSettings) -> None:
    with ThreadPoolExecutor(4) as workers:
        prepared = [workers.submit(prepare_engine, settings) for _ in range(12)]
    assert [each.exception() for each in prepared] == [None] * 12


@pytest.mark.postgres
def test_a_login_with_no_rights_of_its_own_will_do(
    settings: RunsSettings, store: Store, runs_url: str, trustee: Feature
) -> None:
    """What a server and a worker need: to act as the three roles."""
    rows(store, "DROP ROLE IF EXISTS runs_login")
    secret = make_url(runs_url).password
    rows(store, f"CREATE ROLE runs_login LOGIN NOINHERIT PASSWORD '{secret}'")
    rows(store, "GRANT veridical_app, veridical_worker, veridical_dbos TO runs_login")
    url = make_url(runs_url).set(username="runs_login").render_as_string(hide_password=False)
    narrow = settings.model_copy(update={"database_url": url})

    async def story() -> None:
        with open_runs(narrow) as runs:
            run_id = runs.start(asked(), TENANT, "Ada").run_id
            async with working(narrow, at(trustee)):
                assert (await finished(runs, run_id, TENANT)).answer is not None

    with psycopg.connect(url) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
        connection.execute("SELECT * FROM dbos.workflow_status")
    asyncio.run(story())
    rows(store, "DROP ROLE runs_login")


@pytest.mark.postgres
def test_a_run_behind_pgbouncer(runs: Runs, settings: RunsSettings, trustee: Feature) -> None:
    """Without PgBouncer, but with all that it does not allow left out."""
    pooled = settings.model_copy(update={"pgbouncer": True})

    async def story() -> None:
        with open_runs(pooled) as watched:
            run_id = watched.start(asked(), TENANT, "Ada").run_id
            async with working(pooled, at(trustee)):
                seen = [each.event.kind async for each in watched.watch(run_id, TENANT)]
        assert seen[0] == "runStarted"
        assert seen[-1] == "answered"

    asyncio.run(story())


@pytest.mark.postgres
def test_a_tenant_that_floods_does_not_keep_another_waiting(
    runs: Runs, settings: RunsSettings, store: Store, trustee: Feature
) -> None:
    prepare_marks(store)
    shared = settings.model_copy(update={"worker_concurrency": 3, "tenant_concurrency": 2})

    async def story() -> None:
        flood = [runs.start(asked(OPEN), TENANT, "Ada").run_id for _ in range(8)]
        small = runs.start(asked(OPEN), OTHER, "Bob").run_id
        model = slow_model(settings.database_url, 0.1)
        async with working(shared, at(trustee, model=model)):
            await finished(runs, small, OTHER)
            done = [runs.state(each, TENANT).status.is_final for each in flood]  # pyright: ignore
            assert sum(done) <= 4
            running = [load.running async for load in _loads(runs, flood)]
        assert max(running) <= 2

    asyncio.run(story())


async def _loads(runs: Runs, flood: list[str]) -> AsyncGenerator[Load]:
    """What goes on until the last of these runs is done."""
    while not all(ended(runs, each, TENANT) for each in flood):
        yield await asyncio.to_thread(runs.load)


@pytest.mark.postgres
def test_a_tenant_may_begin_so_many_runs_a_minute(
    runs: Runs, settings: RunsSettings, trustee: Feature
) -> None:
    limited = settings.model_copy(update={"tenant_per_minute": 2})

    async def story() -> None:
        started = [runs.start(asked(), TENANT, "Ada").run_id for _ in range(4)]
        other = runs.start(asked(), OTHER, "Bob").run_id
        async with working(limited, at(trustee)):
            await finished(runs, other, OTHER)
            await until(lambda: sum(bool(ended(runs, each, TENANT)) for each in started) == 2)
            await asyncio.sleep(0.5)
            assert runs.load().queued == 2

    asyncio.run(story())


def test_the_engine_asks_again_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    ask_again_soon()
    pauses: list[float] = []
    monkeypatch.setattr("time.sleep", pauses.append)

    class Away(Exception):
        """Over after some attempts."""

    @db_retry()
    def asked() -> str:
        if len(pauses) < 12:
            raise OperationalError("", {}, Away(), connection_invalidated=True)
        return "back"

    assert asked() == "back"
    assert len(pauses) == 12
    assert max(pauses) <= LONGEST_WAIT
