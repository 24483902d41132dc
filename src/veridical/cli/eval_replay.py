"""What ``veridical eval run --model replay:FOLDER`` does: judge recorded runs anew."""

import os
from pathlib import Path

from veridical.cli.eval_progress import RunProgress
from veridical.cli.friendly import UsageError, err
from veridical.contracts.language import Language
from veridical.evals.kept.folder import RunFolder
from veridical.evals.modes.mode import ModeName
from veridical.evals.replaying.pool import Recorded, replayed
from veridical.evals.replaying.replay import plan_replay, replay_setup
from veridical.evals.running.attempt import NOT_RECORDED
from veridical.messages import say


def replay_gold(
    source: Path,
    into: Path,
    gold: tuple[str, ...],
    modes: tuple[ModeName, ...],
    limit: int | None,
    language: Language,
) -> None:
    """Replay what was recorded; without a model, a database or a clock."""
    if source.resolve() == into.resolve():
        raise UsageError(say("evals.replay_here", language))
    recording = RunFolder(source)
    setup = recording.setup()
    recorded = Recorded(source, gold or setup.gold)
    plan = plan_replay(recording, recorded.golds, modes, limit)
    folder = RunFolder(into)
    folder.begin_anew(replay_setup(setup, recorded.golds, recorded.stage, plan.planned))
    folder.write_ground(recording.truths(), recording.schema())
    other_way = 0
    with RunProgress(language, quiet=True) as progress:
        progress.begin(0, len(plan.planned))
        for judged in replayed(recorded, plan.planned, processes=os.cpu_count() or 1):
            folder.save(judged)
            progress.see(judged)
            other_way += judged.record.detail.startswith(NOT_RECORDED)
    for key, count in (("left_out", plan.left_out), ("other_way", other_way)):
        if count:
            err.print(say(f"evals.{key}", language, count=count), style="yellow")
