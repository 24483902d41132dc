"""Implementation of ``veridical eval run --model replay:FOLDER``: scores recorded runs again."""

import os
from dataclasses import dataclass
from pathlib import Path

from veridical.cli.error_reporting import UsageError, err
from veridical.cli.eval_report import RunProgress
from veridical.contracts.language import Language
from veridical.evals.execution.attempt import NOT_RECORDED
from veridical.evals.execution.replay import (
    ReadInputs,
    Recorded,
    plan_replay,
    replay_setup,
    replayed,
)
from veridical.evals.modes.mode import ModeName
from veridical.evals.storage.folder import RunFolder
from veridical.messages import message


@dataclass(frozen=True, slots=True)
class RunRequest:
    """The runs to make, and the baseline to compare with."""

    gold: tuple[str, ...]
    modes: str
    repeats: int
    seeds: bool
    model: str
    out: Path
    database: str
    ontology: str
    timeout_factor: float
    concurrency: int
    limit: int | None
    cache: Path | None
    baseline: Path | None
    max_drop: float
    exact: bool
    save_baseline: Path | None
    language: Language


def replay_gold(
    source: Path, request: RunRequest, modes: tuple[ModeName, ...], inputs: ReadInputs
) -> bool:
    """Replay the recorded runs, without a model, a database or a clock; false when interrupted."""
    language = request.language
    if source.resolve() == request.out.resolve():
        raise UsageError(message("evals.replay_here", language))
    setup = RunFolder(source).setup()
    recorded = Recorded(source, request.gold or setup.gold, inputs)
    ground = recorded.ground
    plan = plan_replay(RunFolder(source), ground.golds, modes, request.limit)
    missing = sorted(set(modes) - {each.key.mode for each in plan.planned})
    if missing or not plan.planned:
        named = ", ".join(missing or modes) or "–"
        raise UsageError(message("evals.not_in_recording", language, modes=named, folder=source))
    folder = RunFolder(request.out)
    folder.begin_anew(replay_setup(setup, ground, plan.planned))
    recording = RunFolder(source)
    folder.write_ground(recording.truths(), recording.schema(), recording.dialect())
    other_way = 0
    try:
        with RunProgress(language, quiet=True) as progress:
            progress.begin(0, len(plan.planned))
            for judged in replayed(recorded, plan.planned, processes=os.cpu_count() or 1):
                folder.save(judged)
                progress.see(judged)
                other_way += judged.record.detail.startswith(NOT_RECORDED)
    except KeyboardInterrupt:
        err.print(message("evals.replay_interrupted", language), style="yellow")
        return False
    for key, count in (("left_out", plan.left_out), ("other_way", other_way)):
        if count:
            err.print(message(f"evals.{key}", language, count=count), style="yellow")
    return True
