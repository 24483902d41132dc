import asyncio
from pathlib import Path

import pytest

from veridical.contracts.step import Json
from veridical.testing.replay import NotRecordedError, RecordedSteps


class Counting:
    def __init__(self) -> None:
        self.runs = 0

    async def __call__(self) -> Json:
        self.runs += 1
        return {"text": "Grüezi", "run": self.runs}


def test_a_step_is_run_once_and_then_remembered() -> None:
    steps, action = RecordedSteps(), Counting()
    first = asyncio.run(steps("one", action))
    assert asyncio.run(steps("one", action)) == first == {"text": "Grüezi", "run": 1}
    assert asyncio.run(steps("two", action))["run"] == 2


def test_records_survive_a_file(tmp_path: Path) -> None:
    steps, action = RecordedSteps(), Counting()
    first = asyncio.run(steps("one", action))
    steps.save(tmp_path / "run.json")
    loaded = RecordedSteps.load(tmp_path / "run.json")
    assert asyncio.run(loaded("one", action)) == first
    assert action.runs == 1


def test_sealed_records_run_nothing() -> None:
    action = Counting()
    with pytest.raises(NotRecordedError, match="'new' among \\['old'\\]"):
        asyncio.run(RecordedSteps({"old": 1}, sealed=True)("new", action))
    assert action.runs == 0


def test_what_is_no_json_is_a_mistake() -> None:
    async def action() -> Json:
        return {"value": float("nan")}

    with pytest.raises(ValueError, match="JSON"):
        asyncio.run(RecordedSteps()("one", action))
