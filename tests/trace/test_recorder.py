from pathlib import Path

import pytest

from tests.trace.runs import called, repaired_run
from veridical.contracts.progress import Progress
from veridical.contracts.trace import Event, ToolCalled
from veridical.trace.jsonl import JsonLines
from veridical.trace.recorder import Recorder
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
