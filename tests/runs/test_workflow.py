"""One segment of a run: what it survives, what it refuses, how it ends."""

import asyncio
import json
from typing import Any

import pytest
from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models.function import AgentInfo, FunctionModel
from sqlalchemy.exc import TimeoutError as NoConnectionFree

from tests.runs.asked import (
    OPEN,
    a_standby,
    asked,
    at,
    away,
    drop_connections,
    finished,
    rows,
    until,
    working,
)
from tests.runs.conftest import TENANT
from tests.runs.slow_model import ROUNDS, prepare_marks, slow_model
from veridical.answering.feature import Feature
from veridical.answering.session import Emit, Session
from veridical.contracts.answer import AnswerKind
from veridical.contracts.caller import Caller
from veridical.engines import Postgres
from veridical.runs import maintenance
from veridical.runs.port import Runs
from veridical.runs.settings import RunsSettings
from veridical.runs.state import RunStatus
from veridical.store.connection import Store, UnreachableError, UnreachableReason
from veridical.testing.script import Script
from veridical.trace.postgres import PostgresTraces

pytestmark = pytest.mark.postgres


def test_every_model_call_tool_call_and_gate_is_a_step(
    runs: Runs, settings: RunsSettings, store: Store, trustee: Feature
) -> None:
    script = Script([[("calculate", {"expression": "1 + 1"})], "That can't be told."])

    async def story() -> None:
        run_id = runs.start(asked(OPEN), TENANT, "Ada").run_id
        async with working(settings, at(trustee, model=script.model)):
            await finished(runs, run_id, TENANT)

    asyncio.run(story())
    names = rows(store, "SELECT function_name FROM dbos.operation_outputs ORDER BY function_id")
    assert [name for (name,) in names] == [
        "open", "agent.model.1", "agent.tool.1.1", "agent.model.2", "gate.1", "close",
    ]  # fmt: skip


def test_a_run_that_breaks_fails_with_words_and_without_details(
    runs: Runs, settings: RunsSettings, runs_url: str, trustee: Feature
) -> None:
    def broken(*_: Any) -> Any:
        raise RuntimeError("the secret of tenant globex")

    async def story() -> str:
        run_id = runs.start(asked(), TENANT, "Ada").run_id
        async with working(settings, broken):
            failed = await finished(runs, run_id, TENANT)
        assert (failed.status, failed.error) == (RunStatus.FAILED, "BROKE")
        assert "globex" not in failed.model_dump_json()
        return run_id

    run_id = asyncio.run(story())
    traces = PostgresTraces(runs_url)
    trace = traces.load(run_id)
    traces.close()
    assert trace is not None
    assert trace.events[-1].kind == "answered"


def test_a_run_that_other_code_began_goes_on_by_the_names_of_its_steps(
    runs: Runs, settings: RunsSettings, store: Store, trustee: Feature
) -> None:
    """As after a deployment: the worker died, and the code that goes on has another first step."""
    run_id = runs.start(asked(), TENANT, "Ada").run_id
    opened = {"traceId": run_id, "at": 1_794_600_000.0, "today": "2026-11-13"}
    for place, (name, output) in enumerate({"warm-up": {}, "open": opened}.items(), 1):
        rows(
            store,
            "INSERT INTO dbos.operation_outputs (workflow_uuid, function_id, function_name, output,"
            " serialization, retention_timestamp)"
            " VALUES (:run, :place, :name, :output, 'veridical_json', 0)",
            run=run_id,
            place=place,
            name=name,
            output=json.dumps(output),
        )

    async def story() -> None:
        async with working(settings, at(trustee)):
            done = await finished(runs, run_id, TENANT)
        assert done.answer is not None
        assert done.answer.kind is AnswerKind.PATTERN

    asyncio.run(story())
    lives = rows(store, "SELECT workflow_uuid, status FROM dbos.workflow_status ORDER BY 1")
    assert lives == [(run_id, "SUCCESS"), (f"{run_id}~1", "SUCCESS")]
    started = rows(store, "SELECT extract(epoch FROM started_at) FROM veridical.runs")
    assert started == [(1_794_600_000,)]  # the first step was not taken again


def test_data_that_is_away_for_a_moment_costs_no_answer(
    runs: Runs, settings: RunsSettings, trustee: Feature
) -> None:
    database = trustee.engine.database
    assert isinstance(database, Postgres)
    address = database._pool.url.set(drivername="postgresql")  # pyright: ignore[reportPrivateUsage]

    async def story() -> None:
        run_id = runs.start(asked(), TENANT, "Ada").run_id
        async with working(settings, at(trustee)):
            with away(address.render_as_string(hide_password=False)):
                await until(lambda: status(runs, run_id) is RunStatus.RUNNING)
                await asyncio.sleep(0.3)
                assert status(runs, run_id) is RunStatus.RUNNING
            done = await finished(runs, run_id, TENANT)
        assert done.answer is not None
        assert done.answer.kind is AnswerKind.PATTERN

    asyncio.run(story())


def test_a_standby_may_answer_for_a_while(
    runs: Runs,
    settings: RunsSettings,
    store: Store,
    trustee: Feature,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(maintenance, "_STRAY_SECONDS", 0.1)
    prepare_marks(store)
    url = settings.database_url

    async def story() -> None:
        started = [runs.start(asked(OPEN), TENANT, "Ada").run_id for _ in range(4)]
        async with working(settings, at(trustee, model=slow_model(url, 0.3))):
            await until(lambda: rows(store, "SELECT 1 FROM public.done"))
            with a_standby(url):
                await asyncio.sleep(1.5)
            store.engine.dispose()
            states = [await finished(runs, run_id, TENANT) for run_id in started]
        assert {state.status for state in states} == {RunStatus.DONE}

    asyncio.run(story())
    done = rows(store, "SELECT key FROM public.done")
    assert len(done) == len(set(done)) == 4 * ROUNDS


@pytest.mark.parametrize("seconds_away", [0, 1.5])
def test_the_database_of_the_runs_may_be_away(
    runs: Runs, settings: RunsSettings, store: Store, trustee: Feature, seconds_away: float
) -> None:
    prepare_marks(store)
    url = settings.database_url

    async def story() -> None:
        started = [runs.start(asked(OPEN), TENANT, "Ada").run_id for _ in range(4)]
        async with working(settings, at(trustee, model=slow_model(url, 0.3))):
            await until(lambda: rows(store, "SELECT 1 FROM public.done"))
            if seconds_away:
                with away(url):
                    await asyncio.sleep(seconds_away)
            else:
                drop_connections(url)
            store.engine.dispose()
            states = [await finished(runs, run_id, TENANT) for run_id in started]
        assert {state.status for state in states} == {RunStatus.DONE}

    asyncio.run(story())
    done = rows(store, "SELECT key FROM public.done")
    assert len(done) == len(set(done)) == 4 * ROUNDS


def test_a_run_that_was_cut_off_from_its_database_is_taken_up_again(
    runs: Runs, settings: RunsSettings, trustee: Feature, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the engine itself does not wait for."""
    monkeypatch.setattr(maintenance, "_STRAY_SECONDS", 0.1)
    errors = [
        NoConnectionFree("no connection is free"),
        UnreachableError(UnreachableReason.NO_ANSWER),
    ]
    sessions = at(trustee)

    def moody(feature: str, caller: Caller, emit: Emit) -> Session:
        if errors:
            raise errors.pop()
        return sessions(feature, caller, emit)

    async def story() -> None:
        run_id = runs.start(asked(), TENANT, "Ada").run_id
        async with working(settings, moody):
            done = await finished(runs, run_id, TENANT)
        assert done.status is RunStatus.DONE
        assert errors == []

    asyncio.run(story())


def test_a_worker_that_was_declared_dead_begins_anew_and_does_nothing_twice(
    runs: Runs, settings: RunsSettings, store: Store, trustee: Feature
) -> None:
    prepare_marks(store)

    async def story() -> None:
        run_id = runs.start(asked(OPEN), TENANT, "Ada").run_id
        model = slow_model(settings.database_url, 0.5)
        async with working(settings, at(trustee, model=model)):
            await until(lambda: rows(store, "SELECT 1 FROM public.done"))
            before = rows(store, "DELETE FROM veridical.workers RETURNING executor_id")
            done = await finished(runs, run_id, TENANT)
            after = rows(store, "SELECT executor_id FROM veridical.workers")
        assert done.status is RunStatus.DONE
        assert len(after) == 1
        assert after != before

    asyncio.run(story())
    done = rows(store, "SELECT key FROM public.done")
    assert len(done) == len(set(done)) == ROUNDS


def test_a_cancelled_run_stops_in_the_middle_of_a_step(
    runs: Runs, settings: RunsSettings, trustee: Feature
) -> None:
    asked_for, stopped = asyncio.Event(), asyncio.Event()

    async def endless(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        asked_for.set()
        try:
            await asyncio.sleep(600)
        finally:
            stopped.set()
        raise AssertionError

    async def story() -> None:
        run_id = runs.start(asked(OPEN), TENANT, "Ada").run_id
        async with working(settings, at(trustee, model=FunctionModel(endless))):
            await asked_for.wait()
            await asyncio.to_thread(runs.cancel, run_id, TENANT, "Ada")
            async with asyncio.timeout(10):
                await stopped.wait()
            await asyncio.sleep(0.2)
        assert status(runs, run_id) is RunStatus.CANCELLED

    asyncio.run(story())


def status(runs: Runs, run_id: str) -> RunStatus:
    state = runs.state(run_id, TENANT)
    assert state is not None
    return state.status
