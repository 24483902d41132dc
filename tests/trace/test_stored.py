import json

from hypothesis import given

from tests.trace.runs import called, traces
from veridical.contracts.trace import AgentTrace
from veridical.trace.stored import from_stored, to_stored


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
