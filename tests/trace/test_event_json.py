import json

import pytest
from hypothesis import given

from tests.trace.runs import called, traces
from veridical.contracts.trace import AgentTrace
from veridical.trace.event_json import from_stored, storable, to_stored, to_stored_text


@given(traces)
def test_events_survive_as_plain_json(trace: AgentTrace) -> None:
    for event in trace.events:
        text = json.dumps(to_stored(event), allow_nan=False)
        assert from_stored(json.loads(text)) == event
        assert "\\u0000" not in text.replace("\\\\", "")


def test_ordinary_values_are_stored_as_they_are() -> None:
    arguments = {"tableName": "Übersicht 表", "limit": 20, "rate": 0.077, "big": 10**30}
    stored = to_stored(called(1).model_copy(update={"arguments": arguments}))
    assert stored["arguments"] == arguments
    assert stored["validationFailureCode"] is None


@given(traces)
def test_the_text_is_that_of_the_same_json(trace: AgentTrace) -> None:
    for event in trace.events:
        assert json.loads(to_stored_text(event)) == to_stored(event)


@pytest.mark.parametrize(
    "value",
    [*("\x00", "\x1a", "\ud800", "\x01", "1e16", ":1e16"), 1e16, -1.5e300, 1e-300, 0.1, 2**70],
    ids=ascii,
)
def test_the_quick_way_gives_what_the_thorough_one_does(value: object) -> None:
    event = called(1).model_copy(update={"arguments": {"a": [value], "b": {"c": value}}})
    thoroughly = storable(event.model_dump(mode="json", by_alias=True, fallback=str))
    assert to_stored(event) == thoroughly
    assert repr(to_stored(event)["arguments"]) == repr(thoroughly["arguments"])
    assert json.loads(to_stored_text(event)) == thoroughly
