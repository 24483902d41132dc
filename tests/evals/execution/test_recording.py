import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from veridical.evals.execution.recording import MODEL, TIMED_OUT, Recording
from veridical.evals.gold.case import Difficulty, Limit

LIMIT = Limit(45, Difficulty.EASY)


def giving(**result: Any) -> Callable[[], Awaitable[dict[str, Any]]]:
    async def action() -> dict[str, Any]:
        return result

    return action


def test_the_run_happens_on_the_day_of_the_set() -> None:
    recording = Recording("2026-03-15", LIMIT)
    opened = asyncio.run(recording("open", giving(at=100.0, today="2030-01-01")))
    assert opened["today"] == "2026-03-15"
    assert json.loads(recording.text) == {"open": opened}


def test_a_step_gives_what_its_replay_will_give() -> None:
    recording = Recording("2026-03-15", LIMIT)
    recording.note_model(None)
    given = asyncio.run(
        recording("tool.1", giving(rows=((1, 2.5), (None, "ü\ud800")), by={1: "x"}))
    )
    assert given == {"rows": [[1, 2.5], [None, "ü\ud800"]], "by": {"1": "x"}}
    assert json.loads(recording.text) == {MODEL: None, "tool.1": given}


def test_figures_come_back_as_they_were() -> None:
    recording = Recording("2026-03-15", LIMIT)
    figures = [0.1, 1e16, 1e-7, 123456789.12345679, 10**30, -0.0]
    given = asyncio.run(recording("tool.1", giving(figures=figures)))
    assert [repr(each) for each in given["figures"]] == [repr(each) for each in figures]
    assert json.loads(recording.text)["tool.1"] == given


def test_a_step_past_the_limit_ends_the_run_and_is_not_kept() -> None:
    async def run() -> Recording:
        recording = Recording("2026-03-15", LIMIT)
        await recording("open", giving(at=100.0, today=""))
        await recording("agent.model.1", giving(at=100.0, elapsedMs=44_000.0))
        with pytest.raises(TimeoutError):
            await recording("agent.model.2", giving(at=144.0, elapsedMs=1_500.0))
        recording.time_out()
        return recording

    kept = json.loads(asyncio.run(run()).text)
    assert set(kept) == {"open", "agent.model.1", TIMED_OUT}
    assert kept[TIMED_OUT] == {"seconds": 45, "difficulty": "easy"}
