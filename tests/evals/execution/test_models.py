import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from tests.effort import examples
from veridical.evals.execution.models import CacheCount, CachedModel, SeededModel, reply_key
from veridical.evals.execution.recording import Recording
from veridical.evals.gold.case import Difficulty, Limit
from veridical.testing.script import Script

TOOL = ToolDefinition(name="query", parameters_json_schema={"type": "object", "title": "q"})
PARTS: dict[str, Any] = {
    "provider": "openai",
    "model": "small",
    "question": "How much?",
    "instructions": "Be brief.",
    "arguments": {"table": "a", "timestamp": 1},
    "result": "12",
    "tool": TOOL,
    "temperature": 0.5,
    "seed": 1,
    "max_tokens": 10,
    "repeat": 0,
}


def key(at: datetime = datetime(2026, 1, 1, tzinfo=UTC), ids: str = "x", **changed: Any) -> str:
    parts = PARTS | changed
    messages: list[ModelMessage] = [
        ModelRequest(
            [UserPromptPart(parts["question"], timestamp=at)], instructions=parts["instructions"]
        ),
        ModelResponse([ToolCallPart("query", parts["arguments"], f"{ids}1")], timestamp=at),
        ModelRequest([ToolReturnPart("query", parts["result"], f"{ids}1", timestamp=at)]),
    ]
    asked = ModelSettings(
        temperature=parts["temperature"], seed=parts["seed"], max_tokens=parts["max_tokens"]
    )
    parameters = ModelRequestParameters(function_tools=[parts["tool"]])
    return reply_key(
        parts["provider"], parts["model"], messages, asked, parameters, parts["repeat"]
    )


OTHER: dict[str, st.SearchStrategy[Any]] = {
    "provider": st.text(),
    "model": st.text(),
    "question": st.text(),
    "instructions": st.text(),
    "arguments": st.dictionaries(st.text(), st.integers() | st.text()),
    "result": st.text(),
    "tool": st.text().map(lambda name: replace(TOOL, name=name))
    | st.text(min_size=1).map(lambda text: replace(TOOL, description=text)),
    "temperature": st.floats(0, 2),
    "seed": st.integers(),
    "max_tokens": st.integers(1),
    "repeat": st.none() | st.integers(0),
}


@pytest.mark.parametrize("part", OTHER)
@settings(deadline=None, max_examples=examples(40))
@given(data=st.data())
def test_any_other_part_makes_another_key(part: str, data: st.DataObject) -> None:
    value = data.draw(OTHER[part])
    assert (key(**{part: value}) == key()) == (value == PARTS[part])


@settings(deadline=None, max_examples=examples(40))
@given(st.datetimes(timezones=st.just(UTC)), st.text(min_size=1), st.permutations([0, 1]))
def test_when_under_which_ids_and_in_which_order_decides_nothing(
    at: datetime, ids: str, order: list[int]
) -> None:
    items = list(PARTS["arguments"].items())
    assert key(at, ids, arguments=dict(items[number] for number in order)) == key()


def test_answers_to_other_calls_make_another_key() -> None:
    def crossed(first: str, second: str) -> str:
        messages: list[ModelMessage] = [
            ModelResponse([ToolCallPart("query", {}, "1"), ToolCallPart("query", {}, "2")]),
            ModelRequest(
                [ToolReturnPart("query", "a", first), ToolReturnPart("query", "b", second)]
            ),
        ]
        return reply_key("p", "m", messages, None, ModelRequestParameters())

    assert crossed("1", "2") != crossed("2", "1")


def ask(model: CachedModel, text: str = "How much?") -> str:
    messages: list[ModelMessage] = [ModelRequest([UserPromptPart(text)])]
    response = asyncio.run(
        model.request(messages, ModelSettings(timeout=5), ModelRequestParameters())
    )
    (part,) = response.parts
    assert isinstance(part, TextPart)
    return part.content


def test_what_was_asked_before_is_not_asked_again(tmp_path: Path) -> None:
    count = CacheCount()
    script = Script(["12", "13"])
    assert ask(CachedModel(script.model, tmp_path, count)) == "12"
    again = CachedModel(script.model, tmp_path, count)
    assert ask(again) == "12"
    assert ask(again, "How many?") == "13"
    assert (count.hits, count.misses) == (1, 2)


def test_drawn_replies_are_drawn_anew_for_each_repeat(tmp_path: Path) -> None:
    count, script = CacheCount(), Script(["12", "13", "14"])
    replies = [ask(CachedModel(script.model, tmp_path, count, repeat)) for repeat in (0, 1, 0)]
    assert replies == ["12", "13", "12"]
    seeded = CachedModel(SeededModel(script.model, 7), tmp_path, count, 0)
    assert ask(seeded) == "14"
    assert (script.infos[-1].model_settings or {}).get("seed") == 7


def test_a_broken_file_is_asked_anew(tmp_path: Path) -> None:
    count, script = CacheCount(), Script(["12", "13"])
    ask(CachedModel(script.model, tmp_path, count))
    (kept,) = tmp_path.rglob("*.json")
    kept.write_text("{", "utf-8")
    assert ask(CachedModel(script.model, tmp_path, count)) == "13"


def test_a_kept_reply_counts_with_the_time_that_it_took(tmp_path: Path) -> None:
    count, script = CacheCount(), Script(["12"])
    ask(CachedModel(script.model, tmp_path, count))
    (kept,) = tmp_path.rglob("*.json")
    slow = kept.read_text("utf-8")
    kept.write_text('{"seconds": 30.0, ' + slow[slow.index('"response"') :], "utf-8")
    model = CachedModel(script.model, tmp_path, count)

    async def run(recording: Callable[[str, Any], Any]) -> list[dict[str, Any]]:
        async def reply() -> dict[str, Any]:
            request: list[ModelMessage] = [ModelRequest([UserPromptPart("How much?")])]
            await model.request(request, None, ModelRequestParameters())
            return {"at": 101.0, "elapsedMs": 0.0}

        async def clock(at: float) -> dict[str, Any]:
            return {"at": at}

        return [
            await recording("open", lambda: clock(100.0)),
            await recording("agent.model.1", reply),
            await recording("close", lambda: clock(101.0)),
        ]

    limit = Limit(45, Difficulty.EASY)
    opened, asked, closed = asyncio.run(run(Recording("2026-03-15", limit, model)))
    assert opened["at"] == 100.0
    assert asked["elapsedMs"] == pytest.approx(30_000, abs=500)
    assert closed["at"] == pytest.approx(131.0, abs=0.5)
