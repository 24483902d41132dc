"""Recorded runs that go on from a step: what is kept, what is taken, and on which clock."""

import asyncio
import json
from pathlib import Path

from benchmarks.continued_runs import Continued, copied, going_on, name_of
from benchmarks.eval_reports import recorded_runs
from veridical.contracts.step import Json
from veridical.evals.execution.plan import load_golds
from veridical.evals.execution.recording import Recording
from veridical.evals.execution.replay import plan_replay
from veridical.evals.gold.case import Difficulty, Limit
from veridical.evals.storage.folder import RunFolder

OPENED = {"open": {"at": 100.0, "today": "2026-03-15"}, "model.1": {"at": 101.0, "elapsedMs": 4000}}


async def _taken(slower: float, *lives: Json) -> list[Json]:
    recording = Recording("2026-03-15", Limit(600, Difficulty.EASY))
    steps = Continued(OPENED, recording, slower)
    given: list[Json] = []
    for name, live in zip((*OPENED, "model.2", "gate.2", "close"), lives, strict=True):

        async def action(live: Json = live) -> Json:
            return live

        given.append(await steps(name, action))
    assert json.loads(recording.text) == dict(
        zip((*OPENED, "model.2", "gate.2", "close"), given, strict=True)
    )
    return given


def test_kept_steps_are_not_taken_and_the_clock_goes_on_where_they_end() -> None:
    lives = {"at": 1.0}, None, {"at": 9000.0, "elapsedMs": 5000.0}, {"proof": "x"}, {"at": 9006.0}
    opened, first, second, gate, close = asyncio.run(_taken(1.0, *lives))
    assert [opened, first] == list(OPENED.values())
    assert second == {"at": 105.0, "elapsedMs": 5000.0}
    assert gate == {"proof": "x"}
    assert close == {"at": 111.0}


def test_on_a_slower_machine_more_seconds_count_as_one() -> None:
    lives = {"at": 1.0}, None, {"at": 9000.0, "elapsedMs": 5000.0}, {"proof": "x"}, {"at": 9006.0}
    *_, second, _, close = asyncio.run(_taken(10.0, *lives))
    assert second == {"at": 105.0, "elapsedMs": 500.0}
    assert close == {"at": 105.6}


def test_the_runs_that_are_named_keep_what_comes_before_the_step(
    tmp_path: Path,
) -> None:
    source = RunFolder(recorded_runs(tmp_path))
    planned = plan_replay(source, load_golds(("pack:trustee/core",))).planned
    going = going_on(source, planned, ["q05.full.*:agent.model.2"])
    assert [(each.asked.key.repeat, list(each.kept)) for each in going] == [
        (repeat, ["open", "agent.model.1", "agent.tool.1.1"]) for repeat in range(3)
    ]
    target = tmp_path / "new"
    folder = copied(source.path, target, going)
    again = {name_of(each.asked.key) for each in going}
    kept, known = ({name_of(each.key) for each in run.results.read()} for run in (folder, source))
    assert kept == known - again
    assert folder.setup() == source.setup()
    (target / "results.jsonl").write_text("")
    assert not copied(source.path, target, going).results.read()
