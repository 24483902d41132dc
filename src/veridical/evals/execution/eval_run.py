"""A whole evaluation: makes the runs that are planned and missing, in a folder to be resumed."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from pydantic_ai.models import Model

from veridical.agent.answer_form import AnswerForm
from veridical.agent.provider import open_model
from veridical.agent.settings import AgentSettings
from veridical.evals.execution.inputs import EvalInputs, ModelFor
from veridical.evals.execution.live_runs import LiveRuns, setup_of
from veridical.evals.execution.models import SeededModel, is_drawn
from veridical.evals.execution.plan import Planned, plan
from veridical.evals.gold.case import Timeouts
from veridical.evals.gold.oracle import CaseTruth, truths_of
from veridical.evals.modes.mode import ModeName
from veridical.evals.scoring.record import ScoredRun
from veridical.evals.storage.folder import RunFolder
from veridical.ontology.errors import LoadError

Make = Callable[[Planned], Awaitable[ScoredRun]]
"""Makes one run and keeps it, unless the model was away."""
OnStart = Callable[[int, int], None]
"""Gets how many runs were made before, and how many are left."""
OnFinish = Callable[[ScoredRun], None]
MOST_AWAY = 3
"""So many runs in a row without a model, and the rest would be none either."""


class ModelAwayError(Exception):
    """The model is unavailable; the runs so far are stored."""


@dataclass(frozen=True, slots=True)
class RunCounts:
    """The number of runs made, and of those that found no model."""

    made: int
    away: int
    """Runs that found no model; the next start makes them."""


async def run_plan(
    planned: Iterable[Planned], make: Make, *, concurrency: int = 1, done: OnFinish | None = None
) -> RunCounts:
    """Makes the runs in their order, so many at a time. Raises ``ModelAwayError``."""
    crew = _Workers(iter(planned), make, done)
    async with asyncio.TaskGroup() as group:
        for _ in range(concurrency):
            group.create_task(crew.work())
    if crew.gave_up:
        raise ModelAwayError
    return RunCounts(crew.made, crew.away)


class _Workers:
    """The workers' common state."""

    def __init__(self, waiting: Iterator[Planned], make: Make, done: OnFinish | None) -> None:
        self._waiting = waiting
        self._make = make
        self._done = done
        self._in_a_row = 0
        self.made = 0
        self.away = 0

    @property
    def gave_up(self) -> bool:
        return self._in_a_row >= MOST_AWAY

    async def work(self) -> None:
        for planned in self._waiting:
            judged = await self._make(planned)
            if judged.model_is_away:
                self.away += 1
                self._in_a_row += 1
                if self.gave_up:
                    return
                continue
            self._in_a_row = 0
            self.made += 1
            if self._done is not None:
                self._done(judged)


@dataclass(frozen=True, slots=True)
class EvalPlan:
    """The modes, repeats and limits of an evaluation."""

    modes: tuple[ModeName, ...]
    repeats: int = 1
    limit: int | None = None
    seeds: bool = False
    """True if repeats differ by seed and not by words."""
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
    if ground.model_for is not None:
        settings = settings.model_copy(update={"answer_form": AnswerForm.TEXT})
    async with opened_models(settings, ground.model_for, seeds=eval_plan.seeds) as model_for:
        setup = folder.begin(
            setup_of(
                ground,
                settings,
                planned,
                timeouts=eval_plan.timeouts,
                same_words=eval_plan.seeds,
            )
        )
        truths = _truths(ground)
        known = ground.stage.known
        folder.write_ground(truths, known.schema, known.engine.database.dialect)
        live = LiveRuns(
            ground.stage,
            truths,
            model_for,
            settings,
            eval_plan.timeouts,
            folder,
            None if ground.model_for else eval_plan.cache,
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


@asynccontextmanager
async def opened_models(
    settings: AgentSettings, own: ModelFor | None = None, *, seeds: bool = False
) -> AsyncGenerator[ModelFor]:
    """The models that answer: one's own, else that of the settings; ``seeds`` gives each repeat a
    seed of its own.

    Raises ``ModelNotConfiguredError`` and ``LoadError``.
    """
    if seeds and not is_drawn(settings):
        raise LoadError("seeds change nothing at temperature 0: set VERIDICAL_TEMPERATURE")
    if own is not None:
        yield own
    elif not settings.model:
        yield lambda run, truth: None
    else:
        async with open_model(settings) as model:

            def seeded(run: Planned, truth: CaseTruth) -> Model:
                del truth
                return SeededModel(model, run.key.repeat) if seeds else model

            yield seeded


def _not_made(planned: Sequence[Planned], folder: RunFolder) -> list[Planned]:
    made = folder.results.keys()
    return [each for each in planned if each.key not in made]


def _truths(ground: EvalInputs) -> dict[str, CaseTruth]:
    found: dict[str, CaseTruth] = {}
    for gold in ground.golds:
        found |= truths_of(gold, ground.stage.truth)
    return found
