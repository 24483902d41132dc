"""A whole evaluation run: executes what is planned and missing, into a folder that can be
resumed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from veridical.agent.settings import AgentSettings
from veridical.evals.execution.backend import open_backend
from veridical.evals.execution.inputs import EvalInputs
from veridical.evals.execution.live_runs import LiveRuns, setup_of
from veridical.evals.execution.plan import Planned, plan
from veridical.evals.execution.runner import RunCounts, run_plan
from veridical.evals.gold.oracle import CaseTruth, truths_of
from veridical.evals.gold.timeouts import Timeouts
from veridical.evals.modes.mode import ModeName
from veridical.evals.scoring.scored_run import ScoredRun
from veridical.evals.storage.folder import RunFolder

OnStart = Callable[[int, int], None]
"""Told how many runs were made before, and how many are left."""
OnFinish = Callable[[ScoredRun], None]


@dataclass(frozen=True, slots=True)
class EvalPlan:
    """What is to be run, and how."""

    modes: tuple[ModeName, ...]
    repeats: int = 1
    limit: int | None = None
    seeds: bool = False
    """Whether repeats differ by seed and not by words."""
    timeouts: Timeouts = Timeouts()  # noqa: RUF009 (immutable)
    concurrency: int = 1
    cache: Path | None = None


async def make_runs(
    eval_plan: EvalPlan,
    ground: EvalInputs,
    settings: AgentSettings,
    folder: RunFolder,
    begun: OnStart = lambda before, left: None,
    done: OnFinish = lambda judged: None,
) -> RunCounts:
    """Make the runs that are not in the folder yet.

    Raises ``LoadError``, ``ModelNotConfiguredError`` and ``ModelAwayError``.
    """
    planned = plan(
        ground.golds,
        eval_plan.modes,
        eval_plan.repeats,
        limit=eval_plan.limit,
        same_words=eval_plan.seeds,
    )
    async with open_backend(settings, ground.stage, seeds=eval_plan.seeds) as backend:
        setup = folder.begin(
            setup_of(
                ground.golds,
                ground.sources,
                ground.stage,
                settings,
                planned,
                timeouts=eval_plan.timeouts,
                simulated=backend.simulated,
                same_words=eval_plan.seeds,
            )
        )
        truths = _truths(ground)
        known = ground.stage.known
        folder.write_ground(truths, known.schema, known.engine.database.dialect)
        live = LiveRuns(
            ground.stage,
            truths,
            backend.model_for,
            settings,
            eval_plan.timeouts,
            folder,
            None if backend.simulated else eval_plan.cache,
        )
        left = _not_made(planned, folder)
        begun(len(planned) - len(left), len(left))
        try:
            return await run_plan(left, live.make, concurrency=eval_plan.concurrency, done=done)
        finally:
            counted = {
                "cache_hits": setup.cache_hits + live.count.hits,
                "cache_misses": setup.cache_misses + live.count.misses,
            }
            folder.write_setup(setup.model_copy(update=counted))


def _not_made(planned: Sequence[Planned], folder: RunFolder) -> list[Planned]:
    made = folder.results.keys()
    return [each for each in planned if each.key not in made]


def _truths(ground: EvalInputs) -> dict[str, CaseTruth]:
    found: dict[str, CaseTruth] = {}
    for gold in ground.golds:
        found |= truths_of(gold, ground.stage.truth)
    return found
