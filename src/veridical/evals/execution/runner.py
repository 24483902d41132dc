"""Runs the plan concurrently; each run is stored as soon as it has ended."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass

from veridical.evals.execution.plan import Planned
from veridical.evals.scoring.scored_run import ScoredRun

Make = Callable[[Planned], Awaitable[ScoredRun]]
"""Makes one run and keeps it, unless the model was away."""
OnFinish = Callable[[ScoredRun], None]
MOST_AWAY = 3
"""So many runs in a row without a model, and the rest would be none either."""


class ModelAwayError(Exception):
    """The model is unavailable; the runs so far are stored."""


@dataclass(frozen=True, slots=True)
class RunCounts:
    """How many runs were made, and how many found no model."""

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
