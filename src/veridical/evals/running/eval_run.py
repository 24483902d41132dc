"""A whole run: what is planned and not yet made, into a folder that can be gone on with."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from veridical.agent.settings import AgentSettings
from veridical.evals.gold.oracle import CaseTruth, truths_of
from veridical.evals.gold.timeouts import Timeouts
from veridical.evals.judging.judged import Judged
from veridical.evals.kept.folder import RunFolder
from veridical.evals.modes.mode import ModeName
from veridical.evals.running.backend import open_backend
from veridical.evals.running.ground import Ground
from veridical.evals.running.live import Live, setup_of
from veridical.evals.running.plan import Planned, plan
from veridical.evals.running.runner import Made, run_plan

Begun = Callable[[int, int], None]
"""Told how many runs were made before, and how many are left."""
Done = Callable[[Judged], None]


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
    ground: Ground,
    settings: AgentSettings,
    folder: RunFolder,
    begun: Begun = lambda before, left: None,
    done: Done = lambda judged: None,
) -> Made:
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
        folder.write_ground(truths, ground.stage.known.schema)
        live = Live(
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


def _truths(ground: Ground) -> dict[str, CaseTruth]:
    found: dict[str, CaseTruth] = {}
    for gold in ground.golds:
        found |= truths_of(gold, ground.stage.truth)
    return found
