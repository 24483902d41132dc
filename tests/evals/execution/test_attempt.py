from tests.trace.runs import called, repaired_run
from veridical.contracts.step import Progress
from veridical.evals.execution.attempt import EventLog
from veridical.trace.event_json import to_stored_text
from veridical.trace.redact import REDACTED


def test_events_are_noted_in_their_order_with_their_texts() -> None:
    run, notes = repaired_run(), EventLog()
    for event in run.events:
        notes.emit(event)
    assert notes.trace(run.trace_id) == run
    assert notes.texts == tuple(map(to_stored_text, run.events))


def test_secrets_are_in_neither() -> None:
    notes, key = EventLog(), "sk-" + "Ab1_" * 8
    notes.emit(called(1, table=key))
    (event,) = notes.trace("t").events
    assert event == called(1, table=REDACTED)
    assert notes.texts == (to_stored_text(event),)


def test_progress_is_no_part_of_the_story() -> None:
    notes = EventLog()
    notes.emit(Progress(stage="calling", round=1))
    assert notes.texts == ()
