"""Recorded runs that go on from one of their steps, with the model itself.

    python -m benchmarks.continued_runs RECORDING '*:agent2.' --url http://127.0.0.1:18080/v1 \\
        --out NEW

A change of the agent or of the check makes some recorded steps those of another program, and only
these need the model again. Every run whose name (``q05.full.1``) and one of whose steps fit a given
RUN:STEP keeps what was recorded before that step; from there on the model is asked and the database
queried. The result is a recording with all runs, for ``veridical eval run --model replay:NEW``. The
run's own clock goes on where the kept steps end, and its limit is the recorded one; on a machine
that is slower than that of the recording, or busy, ``--slower`` says how many seconds count as one.
"""

import argparse
import asyncio
import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import partial
from itertools import takewhile
from pathlib import Path

from veridical.agent.provider import open_model
from veridical.agent.settings import AgentSettings
from veridical.contracts.step import Action, Json
from veridical.evals.execution.attempt import attempt
from veridical.evals.execution.inputs import EvalInputs, open_inputs
from veridical.evals.execution.plan import Planned
from veridical.evals.execution.recording import MODEL, Recording
from veridical.evals.execution.replay import plan_replay, replay_settings
from veridical.evals.modes.mode import MODES
from veridical.evals.scoring.record import RunKey, ScoredRun
from veridical.evals.storage.folder import RunFolder
from veridical.sample.folder import sample_folder

_OF_A_RECORDING = ("run.json", "schema.json", "truths.json", "dialect.txt")
_MS = 1000


class Continued:
    """Steps that were recorded, then steps that are taken, on one clock."""

    def __init__(
        self, before: Mapping[str, Json], recording: Recording, slower: float = 1.0
    ) -> None:
        self._before = before
        self._recording = recording
        self._slower = slower
        self._end = 0.0
        self._begun: float | None = None

    async def __call__(self, name: str, action: Action) -> Json:
        """The step's result: the recorded one as long as there is one."""
        return await self._recording(name, partial(self._taken, name, action))

    async def _taken(self, name: str, action: Action) -> Json:
        if name in self._before:
            kept = self._before[name]
            if isinstance(kept, dict) and "at" in kept:
                self._end = float(kept["at"]) + float(kept.get("elapsedMs", 0.0)) / _MS
            return kept
        result = await action()
        if not isinstance(result, dict) or "at" not in result:
            return result
        if self._begun is None:
            self._begun = float(result["at"])
        at = self._end + (float(result["at"]) - self._begun) / self._slower
        took = {"elapsedMs": result["elapsedMs"] / self._slower} if "elapsedMs" in result else {}
        return {**result, "at": at, **took}


@dataclass(frozen=True, slots=True)
class Going:
    """A run that goes on, with the steps that it keeps."""

    asked: Planned
    kept: Mapping[str, Json]


def going_on(source: RunFolder, planned: Sequence[Planned], wanted: Sequence[str]) -> list[Going]:
    """The runs that fit one of ``RUN:STEP``, in this order, each with what comes before it."""
    found: dict[str, Going] = {}
    for run, _, start in (each.partition(":") for each in wanted):
        for asked in planned:
            name = name_of(asked.key)
            steps = source.steps(asked.key) if fnmatchcase(name, run) else {}
            if name not in found and any(step.startswith(start) for step in steps):
                before = takewhile(lambda step, start=start: not step.startswith(start), steps)
                kept = {step: steps[step] for step in before if step != MODEL}
                found[name] = Going(asked, kept)
    return list(found.values())


def name_of(key: RunKey) -> str:
    """A run's name: case, mode, repeat."""
    return f"{key.case}.{key.mode}.{key.repeat}"


def copied(source: Path, target: Path, without: Sequence[Going]) -> RunFolder:
    """A recording like the other, as if these runs were still to be made; one that is there
    already is gone on with."""
    if target.exists():
        return RunFolder(target)
    shutil.copytree(source / "steps", target / "steps")
    for name in _OF_A_RECORDING:
        if (source / name).is_file():
            shutil.copyfile(source / name, target / name)
    again = {name_of(each.asked.key) for each in without}
    lines = (source / "results.jsonl").read_text("utf-8").splitlines(keepends=True)
    kept = [line for line in lines if name_of(_key(line)) not in again]
    (target / "results.jsonl").write_text("".join(kept), "utf-8", newline="\n")
    return RunFolder(target)


def _key(line: str) -> RunKey:
    return RunKey.model_validate(json.loads(line)["key"])


async def go_on(
    going: Sequence[Going], ground: EvalInputs, folder: RunFolder, url: str, slower: float
) -> None:
    """Make the runs and keep them; prints how each ended."""
    setup = folder.setup()
    settings = _patient(replay_settings(setup), slower).model_copy(update={"base_url": url})
    truths = folder.truths()
    async with open_model(settings) as model:
        made = {name_of(record.key) for record in folder.results.read()}
        for each in going:
            asked = each.asked
            if name_of(asked.key) in made:
                continue
            limit = setup.timeouts.limit(asked.case.difficulty)
            recording = Recording(asked.gold.today, limit)
            recording.note_model(model)
            judged: ScoredRun = await attempt(
                asked,
                truths[asked.case.id],
                lambda emit, asked=asked: ground.stage.session(
                    MODES[asked.key.mode], asked.case, asked.gold, model, settings, emit
                ),
                Continued(each.kept, recording, slower),
                each.kept["open"]["traceId"],
                limit,
                watched=False,
            )
            if judged.model_is_away:
                raise SystemExit(f"no model at {url}: the rest is made by the next start")
            if judged.record.timed_out:
                recording.time_out()
            folder.save(judged, recording.text)
            record = judged.record
            print(
                name_of(record.key), record.score.outcome, record.detail or record.text, flush=True
            )


def _patient(settings: AgentSettings, slower: float) -> AgentSettings:
    """The settings for a machine that takes so many times as long."""
    budget = settings.budget
    seconds = {"wall_seconds": budget.wall_seconds * slower}
    return settings.model_copy(
        update={
            "timeout_seconds": settings.timeout_seconds * slower,
            "budget": budget.model_copy(update=seconds),
        }
    )


def main() -> None:
    """Go on with the runs that are named."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("recording", type=Path, help="the folder of recorded runs")
    parser.add_argument("wanted", nargs="+", metavar="RUN:STEP", help="'*:agent2.' for example")
    parser.add_argument("--url", required=True, help="where the recorded model is served")
    parser.add_argument("--out", type=Path, required=True, help="where to; what is there is kept")
    parser.add_argument("--slower", type=float, default=1.0, help="seconds that count as one")
    options = parser.parse_args()
    source = RunFolder(options.recording)
    with open_inputs(source.setup().gold, books=sample_folder()) as ground:
        planned = plan_replay(source, ground.golds).planned
        going = going_on(source, planned, options.wanted)
        folder = copied(options.recording, options.out, going)
        asyncio.run(go_on(going, ground, folder, options.url, options.slower))


if __name__ == "__main__":
    main()
