"""A recorded run, run again or resumed anywhere, takes the same way."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from pydantic_ai.models.function import FunctionModel

from tests.agent.scripted_tools import ScriptedTools, watch
from tests.effort import examples
from veridical.agent.request import LoopRequest
from veridical.contracts.result import ToolResult
from veridical.contracts.step import Action, Json
from veridical.testing.replay import RecordedSteps
from veridical.testing.script import Line, Script, ScriptedCall

pytestmark = pytest.mark.slow

CALLS = some.tuples(
    some.just("lookUp"),
    some.one_of(
        some.fixed_dictionaries({"year": some.integers(2020, 2022)}),
        some.dictionaries(some.sampled_from(["a", "b"]), some.integers(0, 2), max_size=1),
        some.just('{"year": 20'),
    ),
)
LINES = some.lists(
    some.one_of(some.lists(CALLS, min_size=1, max_size=3), some.sampled_from(["", "Done."])),
    max_size=6,
)
REQUEST = LoopRequest("What is the balance?", "Be exact.", at=1.0)


class _NeverError(AssertionError):
    """The model or a tool was touched in a replay."""


class _Untouchable(ScriptedTools):
    def call(self, name: str, arguments: dict[str, Any]) -> ToolResult:
        raise _NeverError


def _never(*_: Any) -> Any:
    raise _NeverError


class _Crashing:
    """Keeps what it ran, and dies before a step."""

    def __init__(self, kept: RecordedSteps, survives: int) -> None:
        self.kept, self.survives, self.ran = kept, survives, 0

    async def __call__(self, name: str, action: Action) -> Json:
        if self.ran == self.survives:
            raise KeyboardInterrupt
        self.ran += 1
        return await self.kept(name, action)


def _script(lines: list[list[ScriptedCall] | str]) -> Script:
    told: list[Line] = [*lines, "The end.", "The end."]
    return Script(told)


@given(LINES)
@settings(max_examples=examples(40), deadline=None)
def test_a_replay_is_identical_and_touches_nothing(
    lines: list[list[ScriptedCall] | str],
) -> None:
    recorded = RecordedSteps()
    first = asyncio.run(watch(_script(lines).model, REQUEST, recorded))
    replayed = RecordedSteps(recorded.results, sealed=True)
    unused = FunctionModel(_never, model_name="scripted")
    second = asyncio.run(watch(unused, REQUEST, replayed, _Untouchable()))
    assert second.outcome == first.outcome
    assert second.events == first.events
    assert second.progress == first.progress


@given(LINES, some.integers(0, 10))
@settings(max_examples=examples(40), deadline=None)
def test_a_run_that_died_goes_on_where_it_was(
    lines: list[list[ScriptedCall] | str], survives: int
) -> None:
    whole = asyncio.run(watch(_script(lines).model, REQUEST))
    kept, tools, script = RecordedSteps(), ScriptedTools(), _script(lines)
    try:
        asyncio.run(watch(script.model, REQUEST, _Crashing(kept, survives), tools))
    except KeyboardInterrupt:
        resumed = asyncio.run(watch(script.model, REQUEST, kept, tools))
    else:
        resumed = asyncio.run(watch(FunctionModel(_never), REQUEST, kept, tools))
    assert (resumed.outcome.kind, resumed.outcome.text) == (whole.outcome.kind, whole.outcome.text)
    assert resumed.outcome.sources == whole.outcome.sources
    assert resumed.outcome.usage.tool_calls == whole.outcome.usage.tool_calls
    assert tools.calls == whole.scripted.calls


def test_records_survive_a_file(tmp_path: Path) -> None:
    recorded = RecordedSteps()
    lines: list[Line] = [[("lookUp", {"year": 2025})], "Grüezi: 4'711.50"]
    first = asyncio.run(watch(Script(lines).model, REQUEST, recorded))
    recorded.save(tmp_path / "run.json")
    loaded = RecordedSteps.load(tmp_path / "run.json")
    second = asyncio.run(
        watch(FunctionModel(_never, model_name="scripted"), REQUEST, loaded, _Untouchable())
    )
    assert (second.outcome, second.events) == (first.outcome, first.events)
    assert list(loaded.results) == ["agent.model.1", "agent.tool.1.1", "agent.model.2"]
