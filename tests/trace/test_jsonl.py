import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.trace.runs import NOON, called, repaired_run
from veridical.contracts.trace import AgentTrace
from veridical.trace.event_json import to_stored_text
from veridical.trace.jsonl import JsonLines
from veridical.trace.recorder import StoreError


def only_file(folder: Path) -> Path:
    (file,) = folder.glob("*.jsonl")
    return file


def test_one_file_a_day_one_line_an_event(tmp_path: Path) -> None:
    trace = repaired_run()
    JsonLines(tmp_path).save(trace)
    file = only_file(tmp_path)
    assert file.name == "2026-11-15.jsonl"
    records = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert [record["sequence"] for record in records] == list(range(len(trace.events)))
    assert {record["traceId"] for record in records} == {trace.trace_id}
    assert records[0]["event"]["question"]["text"] == "Wie viel lag auf der Bank?"


def test_texts_that_are_at_hand_are_written_as_they_are(tmp_path: Path) -> None:
    trace = repaired_run()
    JsonLines(tmp_path / "anew").save(trace)
    JsonLines(tmp_path / "given").save(trace, [to_stored_text(event) for event in trace.events])
    anew, given = (only_file(tmp_path / name).read_bytes() for name in ("anew", "given"))
    assert given == anew
    with pytest.raises(ValueError, match="shorter"):
        JsonLines(tmp_path / "given").save(trace, ["{}"])


@pytest.mark.parametrize("cut", [1, 2, 40])
def test_a_torn_last_line_is_left_out_with_a_note(tmp_path: Path, cut: int) -> None:
    notes: list[str] = []
    store, trace = JsonLines(tmp_path, notes.append), repaired_run()
    store.save(trace)
    file = only_file(tmp_path)
    os.truncate(file, file.stat().st_size - cut)
    whole = trace.events if cut == 1 else trace.events[:-1]
    assert store.load(trace.trace_id) == trace.model_copy(update={"events": whole})
    assert notes == ([] if cut == 1 else [f"{file}:{len(trace.events)}"])


def test_after_a_torn_line_writing_goes_on(tmp_path: Path) -> None:
    notes: list[str] = []
    store, trace = JsonLines(tmp_path, notes.append), repaired_run()
    store.save(trace)
    os.truncate(only_file(tmp_path), only_file(tmp_path).stat().st_size - 40)
    other = repaired_run("run-2", at=NOON + 10)
    store.save(trace)
    store.save(other)
    assert store.load(trace.trace_id) == trace
    assert store.recent() == (other, trace)
    assert notes


def test_lines_of_another_kind_are_left_out_with_a_note(tmp_path: Path) -> None:
    notes: list[str] = []
    store, trace = JsonLines(tmp_path, notes.append), repaired_run()
    store.save(trace)
    with only_file(tmp_path).open("a", encoding="utf-8") as file:
        file.write(
            'garbage\n\n{"traceId":"run-1","sequence":99,"event":{"kind":"fromTheFuture"}}\n'
        )
    assert store.load(trace.trace_id) == trace
    assert len(notes) == 2


def test_unless_told_otherwise_the_note_goes_to_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "2026-11-15.jsonl").write_text("garbage")
    assert JsonLines(tmp_path).load("run-1") is None
    assert "2026-11-15.jsonl:1" in caplog.text


def test_writers_do_not_disturb_each_other(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from tests.trace.runs import repaired_run;"
        "from veridical.trace.jsonl import JsonLines;"
        "[JsonLines(Path(sys.argv[1])).save(repaired_run(sys.argv[2] + str(n))) for n in range(50)]"
    )
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(tmp_path), name], cwd=Path(__file__).parents[2]
        )
        for name in ("a", "b")
    ]
    assert [writer.wait() for writer in writers] == [0, 0]
    found = JsonLines(tmp_path, pytest.fail).recent(200)
    assert len(found) == 100
    assert [run for run in found if run.trace_id == "a7"] == [repaired_run("a7")]


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX file modes")
def test_only_the_owner_reads(tmp_path: Path) -> None:
    folder = tmp_path / "traces"
    JsonLines(folder).save(repaired_run())
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(only_file(folder).stat().st_mode) == 0o600


def test_a_place_that_is_no_folder(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(StoreError, match="can't write"):
        JsonLines(file).save(repaired_run())


def test_a_file_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "2026-11-15.jsonl").mkdir()
    with pytest.raises(StoreError, match="can't read"):
        JsonLines(tmp_path).recent()


def test_times_beyond_the_calendar_find_a_file(tmp_path: Path) -> None:
    calls = tuple(called(1).model_copy(update={"at": at}) for at in (-1.0, 1e300))
    trace = AgentTrace(trace_id="odd", events=calls)
    JsonLines(tmp_path).save(trace)
    assert sorted(file.stem for file in tmp_path.iterdir()) == ["1970-01-01", "9999-12-31"]
    assert JsonLines(tmp_path).load("odd") == trace
