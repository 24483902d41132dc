from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings

from tests.effort import examples
from tests.trace.runs import NOON, called, repaired_run, traces
from veridical.contracts.step import Progress
from veridical.contracts.trace import AgentTrace, Event, ToolCalled
from veridical.trace.address import open_traces
from veridical.trace.jsonl import JsonLines
from veridical.trace.recorder import Recorder, TraceStore
from veridical.trace.redact import REDACTED


def test_events_become_a_trace_in_every_store(tmp_path: Path) -> None:
    stores = JsonLines(tmp_path / "a"), JsonLines(tmp_path / "b")
    told: list[Event | Progress] = []
    run = repaired_run()
    recorder = Recorder(run.trace_id, stores, [told.append])
    for number, event in enumerate(run.events, 1):
        recorder.emit(event)
        for store in stores:
            loaded = store.load(run.trace_id)
            assert loaded is not None
            assert loaded.events == run.events[:number]
    assert recorder.trace == run
    assert tuple(told) == run.events


def test_progress_is_told_and_not_recorded() -> None:
    told: list[Event | Progress] = []
    recorder = Recorder("run-1", listeners=[told.append])
    progress = Progress(stage="writing", round=1, text="Auf der")
    recorder.emit(progress)
    assert told == [progress]
    assert recorder.trace.events == ()


def test_without_a_store_it_only_collects() -> None:
    recorder = Recorder("run-1")
    recorder.emit(called(1))
    assert recorder.trace.events == (called(1),)
    assert recorder.flush()


def test_a_replayed_run_is_recorded_once(tmp_path: Path) -> None:
    run = repaired_run()
    for until in (3, len(run.events)):
        recorder = Recorder(run.trace_id, [JsonLines(tmp_path)])
        for event in run.events[:until]:
            recorder.emit(event)
    assert JsonLines(tmp_path).load(run.trace_id) == run


def test_secrets_reach_neither_store_nor_listener(tmp_path: Path) -> None:
    key = "sk-" + "x" * 30
    told: list[Event | Progress] = []
    recorder = Recorder("run-1", [JsonLines(tmp_path)], [told.append])
    recorder.emit(called(1).model_copy(update={"arguments": {"sql": f"SELECT '{key}'"}}))
    (event,) = told
    assert isinstance(event, ToolCalled)
    assert event.arguments == {"sql": f"SELECT '{REDACTED}'"}
    assert all(key not in file.read_text("utf-8") for file in tmp_path.iterdir())


def test_a_store_that_fails_catches_up(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    run = repaired_run()
    blocked = tmp_path / "blocked"
    blocked.write_text("in the way")
    recorder = Recorder(run.trace_id, [JsonLines(blocked), JsonLines(tmp_path / "well")])
    for event in run.events[:-1]:
        recorder.emit(event)
    assert not recorder.flush()
    assert "run-1: can't write traces" in caplog.text
    blocked.unlink()
    recorder.emit(run.events[-1])
    assert recorder.flush()
    assert JsonLines(blocked).load(run.trace_id) == run
    assert JsonLines(tmp_path / "well").load(run.trace_id) == run


DAY = 86_400.0


@pytest.fixture(params=["folder", pytest.param("postgres", marks=pytest.mark.postgres)])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[TraceStore]:
    address = str(tmp_path / "traces")
    if request.param == "postgres":
        address = request.getfixturevalue("postgres_url")
        with psycopg.connect(address) as connection:
            connection.execute("DROP SCHEMA IF EXISTS veridical CASCADE")
    opened = open_traces(address)
    yield opened
    opened.close()


@settings(
    max_examples=examples(60),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(drawn=traces)
def test_a_trace_reloaded_is_the_trace_written(store: TraceStore, drawn: AgentTrace) -> None:
    trace = drawn.model_copy(update={"trace_id": f"{drawn.trace_id}{uuid4()}"})
    store.save(trace)
    assert store.load(trace.trace_id) == trace


@pytest.mark.parametrize(
    "value",
    [
        "\x00\x1a0000",
        "\x1a~1e+23",
        "\ud800 alone",
        "Zürich 账户 😀\u2028",
        1e23,
        1.7976931348623157e308,
        5e-324,
        -1e16,
        10**200,
        {"": [{"deep": [[None, True, 0.1]]}]},
        {"event": {"kind": "runStarted"}, ',"sequence":0': 1},
    ],
    ids=repr,
)
def test_odd_arguments_survive(store: TraceStore, value: Any) -> None:
    call = called(1).model_copy(update={"arguments": {"value": value}})
    store.save(AgentTrace(trace_id="odd", events=(call,)))
    loaded = store.load("odd")
    assert loaded is not None
    (event,) = loaded.events
    assert isinstance(event, ToolCalled)
    assert event.arguments == {"value": value}
    assert type(event.arguments["value"]) is type(value)


def test_what_is_not_json_is_kept_as_text(store: TraceStore) -> None:
    call = called(1).model_copy(update={"arguments": {"a": Path("x"), "b": float("nan"), "c": {1}}})
    store.save_event("text", 0, call)
    loaded = store.load("text")
    assert loaded is not None
    assert isinstance(loaded.events[0], ToolCalled)
    assert loaded.events[0].arguments == {"a": "x", "b": None, "c": [1]}


def test_writing_again_changes_nothing(store: TraceStore) -> None:
    trace = repaired_run()
    for _ in range(2):
        for sequence, event in enumerate(trace.events):
            store.save_event(trace.trace_id, sequence, event)
    store.save(trace)
    store.save_event(trace.trace_id, 0, repaired_run(tenant="other").events[0])
    assert store.load(trace.trace_id) == trace
    assert store.recent() == (trace,)
    assert store.recent(tenant="other") == ()


def test_the_order_of_writing_does_not_matter(store: TraceStore) -> None:
    trace = repaired_run()
    for sequence, event in reversed(list(enumerate(trace.events))):
        store.save_event(trace.trace_id, sequence, event)
    assert store.load(trace.trace_id) == trace
    assert store.recent() == (trace,)


def test_a_run_in_the_making_can_be_read(store: TraceStore) -> None:
    trace = repaired_run()
    for sequence, event in enumerate(trace.events[:3]):
        store.save_event(trace.trace_id, sequence, event)
    assert store.load(trace.trace_id) == trace.model_copy(update={"events": trace.events[:3]})


def test_the_newest_runs_come_first(store: TraceStore) -> None:
    runs = [repaired_run(f"run-{day}", at=NOON + day * DAY) for day in (3, 1, 2, 4)]
    for run in runs:
        store.save(run)
    assert [run.trace_id for run in store.recent(3)] == ["run-4", "run-3", "run-2"]
    assert len(store.recent()) == 4


def test_a_run_may_pass_midnight(store: TraceStore) -> None:
    late = repaired_run("late", at=NOON + DAY / 2 - 1)
    store.save(late)
    store.save(repaired_run("next", at=NOON + DAY))
    assert store.load("late") == late
    assert store.recent()[1] == late


def test_a_clock_may_be_set_back_over_midnight(store: TraceStore) -> None:
    trace = repaired_run("back", at=NOON + DAY / 2)
    earlier = trace.events[-1].model_copy(update={"at": NOON})
    trace = trace.model_copy(update={"events": (*trace.events[:-1], earlier)})
    store.save(repaired_run("before", at=NOON))
    store.save(trace)
    assert store.load("back") == trace
    assert store.recent(1) == (trace,)


def test_tenants_stay_apart(store: TraceStore) -> None:
    ours, theirs = repaired_run("ours", "acme"), repaired_run("theirs", "globex", NOON + 1)
    store.save(ours)
    store.save(theirs)
    assert store.recent(tenant="acme") == (ours,)
    assert store.recent(1, tenant="acme") == (ours,)
    assert store.load("theirs", tenant="acme") is None
    assert store.load("theirs", tenant="globex") == theirs
    assert store.load("theirs") == theirs


def test_there_may_be_nothing(store: TraceStore) -> None:
    assert store.load("nowhere") is None
    assert store.recent() == ()
