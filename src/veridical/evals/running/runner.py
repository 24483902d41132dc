"""Makes the planned runs: several at a time, each kept as soon as it has ended."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass

from veridical.evals.judging.judged import Judged
from veridical.evals.running.plan import Planned

Make = Callable[[Planned], Awaitable[Judged]]
"""Makes one run and keeps it, unless the model was away."""
Done = Callable[[Judged], None]
MOST_AWAY = 3
"""So many runs in a row without a model, and the rest would be none either."""


class ModelAwayError(Exception):
    """The model can't be asked; the runs so far are kept."""


@dataclass(frozen=True, slots=True)
class Made:
    """What came of a plan."""

    made: int
    away: int
    """Runs that found no model; the next start makes them."""


async def run_plan(
    planned: Iterable[Planned], make: Make, *, concurrency: int = 1, done: Done | None = None
) -> Made:
    """Makes the runs in their order, so many at a time. Raises ``ModelAwayError``."""
    crew = _Crew(iter(planned), make, done)
    async with asyncio.TaskGroup() as group:
        for _ in range(concurrency):
            group.create_task(crew.work())
    if crew.gave_up:
        raise ModelAwayError
    return Made(crew.made, crew.away)


class _Crew:
    """The workers' common state."""

    def __init__(self, waiting: Iterator[Planned], make: Make, done: Done | None) -> None:
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
