"""What the evals themselves are worth: planted defects, the harness's cost, replays.

    python -m benchmarks.evals --json

``defects_caught`` of ``defects_total`` planted defects end worse once exactly the rule that should
see them is switched off. ``harness_overhead`` is what recording, judging and keeping a run takes
beside the bare flow with its trace, on the same questions with the same model, side by side:
processor time of this process, which leaves out the database and whatever else the machine does. A
real model would make the share smaller: what it takes is not counted. ``replay_seconds`` is how
long it takes to judge the recorded runs of 1,000 cases in five modes anew, on all cores;
``replay_identical`` says whether two replays give the same report byte for byte. The runs are those
of a simulated model: what it answers does not matter here. Progress goes to standard error; the
last line printed is one JSON object.
"""

import argparse
import asyncio
import gc
import json
import logging
import os
import statistics
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, NamedTuple, TypeVar

from pydantic_ai.models import Model
from rich.console import Console
from rich.progress import Progress

from benchmarks.laboratory.planted.planted_defect import load_plants
from benchmarks.laboratory.planted.run import Detection, detect
from benchmarks.laboratory.simulated.model import simulated_models
from veridical.agent.answer_form import AnswerForm
from veridical.agent.settings import AgentSettings
from veridical.answering.flow import answer
from veridical.contracts.question import Question
from veridical.contracts.step import Action, Json
from veridical.evals.execution.eval_run import EvalPlan, make_runs
from veridical.evals.execution.inputs import EvalInputs, ModelFor, open_inputs
from veridical.evals.execution.live_runs import LiveRuns, setup_of
from veridical.evals.execution.plan import Planned, plan
from veridical.evals.execution.replay import Recorded, plan_replay, replay_setup, replayed
from veridical.evals.gold.case import Timeouts
from veridical.evals.gold.oracle import truth_of
from veridical.evals.modes.environment import EvalEnvironment
from veridical.evals.modes.mode import ABLATION, MODES, ModeName
from veridical.evals.report.html import write_report
from veridical.evals.report.report_data import build_report
from veridical.evals.storage.folder import RunFolder
from veridical.trace.recorder import Recorder

Item = TypeVar("Item")
Side = Callable[[], Awaitable[object]]

_GOLD = ("pack:trustee",)
_DOCUMENTS = ("pack:research",)
"""The same books beside documents, for defects of quotations."""
_PROFILE = "careless"
_MODEL = f"simulated:{_PROFILE}"
_WARM_UP = 2
_REPLAYS = 2


class Size(NamedTuple):
    """How much is measured."""

    cases: int
    """Of the gold sets, asked in each mode."""
    repeats: int
    timed_cases: int
    turns: int


FULL = Size(cases=250, repeats=4, timed_cases=10, turns=30)
SMOKE = Size(cases=6, repeats=1, timed_cases=2, turns=4)


def figures(size: Size, kept: Path | None = None) -> dict[str, Any]:
    """All figures; recorded runs are kept in the folder, and go on from there."""
    logging.getLogger("veridical").setLevel(logging.CRITICAL)  # a planted defect breaks tools
    with tempfile.TemporaryDirectory(prefix="veridical-evals-") as scratch:
        folder = Path(scratch)
        with open_inputs(_DOCUMENTS) as library:
            detections = detected(library.stage, documents=True)
        with open_inputs(_GOLD) as ground:
            found = defects([*detections, *detected(ground.stage, documents=False)])
            found |= asyncio.run(overhead(ground, size, folder / "timed"))
            recorded = kept or folder / "recorded"
            asyncio.run(record(ground, size, RunFolder(recorded)))
        return found | replays(recorded, folder)


def detected(stage: EvalEnvironment, *, documents: bool) -> list[Detection]:
    """Each planted defect of tables, or of documents, with its rule and without."""
    sets = [plants for plants in load_plants() if bool(plants.documents) is documents]
    planted = [(plants, plant) for plants in sets for plant in plants.plants]
    return [detect(plant, plants, stage) for plants, plant in _shown(planted, "planted defects")]


def defects(found: Sequence[Detection]) -> dict[str, Any]:
    """How many planted defects end worse without their rule."""
    return {
        "defects_total": len(found),
        "defects_caught": sum(each.caught for each in found),
        "defects_missed": [f"{each.rule} {each.case}" for each in found if not each.caught],
        "rules_planted": len({each.rule for each in found}),
    }


async def overhead(ground: EvalInputs, size: Size, folder: Path) -> dict[str, Any]:
    """The harness beside the bare flow: the same runs in turns, the median of their ratios."""
    settings, timeouts = _settings(), Timeouts()
    planned = plan(ground.golds, [ModeName.FULL], limit=size.timed_cases)
    truths = {each.case.id: truth_of(each.case, each.gold, ground.stage.truth) for each in planned}
    runs = RunFolder(folder)
    runs.begin(setup_of(ground, settings, planned, timeouts=timeouts))
    pairs: list[tuple[float, float]] = []
    model_for = simulated_models(_PROFILE, ground.stage)
    for asked in _shown(planned, "harness and bare flow"):
        model = model_for(asked, truths[asked.case.id])
        live = LiveRuns(ground.stage, truths, _always(model), settings, timeouts, runs)
        bare = partial(_bare, asked, model, ground.stage, settings)
        pairs += await _timed(partial(_next_repeat, live, asked, count()), bare, size.turns)
    mine, theirs = (statistics.median(side) for side in zip(*pairs, strict=True))
    return {
        "harness_overhead": round(statistics.median(one / two for one, two in pairs) - 1, 4),
        "harness_ms": round(1000 * mine, 2),
        "bare_flow_ms": round(1000 * theirs, 2),
    }


async def _next_repeat(live: LiveRuns, asked: Planned, repeats: Iterator[int]) -> None:
    """The run as one that was not made before: no file is written twice."""
    key = asked.key.model_copy(update={"repeat": next(repeats)})
    await live.make(replace(asked, key=key))


def _always(model: Model | None) -> ModelFor:
    return lambda asked, truth: model


async def _bare(
    asked: Planned, model: Model | None, stage: EvalEnvironment, settings: AgentSettings
) -> None:
    """The flow as a host runs it, with its trace and nothing else."""
    trace, case = Recorder(asked.case.id), asked.case
    session = stage.session(MODES[asked.key.mode], case, asked.gold, model, settings, trace.emit)
    question = Question(text=asked.question, language=case.language, thread=case.thread)

    async def step(name: str, action: Action) -> Json:
        done = await action()
        return {**done, "today": asked.gold.today} if name == "open" else done

    await answer(question, session, step)


async def _timed(one: Side, other: Side, turns: int) -> list[tuple[float, float]]:
    """Processor seconds of both, turn by turn; each begins every second turn."""
    pairs: list[tuple[float, float]] = []
    gc.collect()
    gc.freeze()  # what is there already takes longer to look through than a run takes
    for turn in range(turns + _WARM_UP):
        taken: dict[Side, float] = {}
        for side in (one, other) if turn % 2 else (other, one):
            gc.collect()
            gc.disable()
            start = process_time()
            await side()
            taken[side] = process_time() - start
            gc.enable()
        if turn >= _WARM_UP:
            pairs.append((taken[one], taken[other]))
    gc.unfreeze()
    return pairs


async def record(ground: EvalInputs, size: Size, folder: RunFolder) -> None:
    """Make the runs that are not recorded yet."""
    eval_plan = EvalPlan(ABLATION, repeats=size.repeats, limit=size.cases)
    ground = replace(ground, model_for=simulated_models(_PROFILE, ground.stage))
    with _bar() as bar:
        task = bar.add_task("runs to replay", total=None)
        await make_runs(
            eval_plan,
            ground,
            _settings(),
            folder,
            begun=lambda before, left: bar.update(task, total=left),
            done=lambda judged: bar.advance(task),
        )


def replays(recorded: Path, folder: Path) -> dict[str, Any]:
    """How long a replay takes, and whether another one gives the same report."""
    seconds: list[float] = []
    reports: list[dict[str, bytes]] = []
    made = 0
    for number in _shown(range(_REPLAYS), "replays"):
        into = folder / f"replay-{number}"
        start = perf_counter()
        made = _replay(recorded, into)
        seconds.append(perf_counter() - start)
        reports.append(_report(into))
    return {
        "replay_runs": made,
        "replay_seconds": round(min(seconds), 2),
        "replay_identical": all(each == reports[0] for each in reports),
        "cores": os.cpu_count(),
    }


def _replay(source: Path, into: Path) -> int:
    known = Recorded(source, RunFolder(source).setup().gold)
    planned = plan_replay(RunFolder(source), known.ground.golds).planned
    folder = RunFolder(into)
    folder.begin_anew(replay_setup(RunFolder(source).setup(), known.ground, planned))
    for judged in replayed(known, planned, processes=os.cpu_count() or 1):
        folder.save(judged)
    return len(planned)


def _report(folder: Path) -> dict[str, bytes]:
    runs, into = RunFolder(folder), folder / "report"
    header, records = runs.setup().header, runs.results.read()
    write_report(into, build_report(header, records, runs.all_traces()))
    files = sorted(path for path in into.rglob("*") if path.is_file())
    return {str(path.relative_to(into)): path.read_bytes() for path in files}


def _settings() -> AgentSettings:
    return AgentSettings.model_construct(model=_MODEL, answer_form=AnswerForm.TEXT)


def _shown(items: Sequence[Item], title: str) -> Iterator[Item]:
    with _bar() as bar:
        yield from bar.track(items, description=title)


def _bar() -> Progress:
    console = Console(file=sys.stderr)
    return Progress(console=console, disable=not console.is_terminal)


def main() -> None:
    """Print the figures; the last line is one JSON object."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", action="store_true", help="print the JSON object only")
    parser.add_argument("--smoke", action="store_true", help="few runs: does it work at all")
    parser.add_argument("--recorded", type=Path, help="keep the recorded runs here, or go on")
    options = parser.parse_args()
    found = figures(SMOKE if options.smoke else FULL, options.recorded)
    if not options.json:
        for name, value in found.items():
            print(f"{name:20} {value}")
    print(json.dumps(found))


if __name__ == "__main__":
    main()
