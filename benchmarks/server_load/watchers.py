"""The process in which all watchers are.

    python -m benchmarks.server_load.watchers PLAN

It says when all of them watch, goes on until each has seen the last event of its run, and then
writes down what they saw.
"""

import asyncio
import random
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.server_load.processes import say_ready
from benchmarks.server_load.watcher import Seen, watch
from veridical.contracts.wire import Wire

_MOST_CUTS = 3
_LONGEST_STAY = 4
"""Events after which a watcher leaves and comes back."""


class Watched(Wire):
    """A run and the key of somebody who may watch it."""

    run_id: str
    key: str


class Plan(Wire):
    """Who watches what, where."""

    port: int
    watched: tuple[Watched, ...]
    """Once for each watcher."""
    patience_seconds: float
    into: str
    """The file for what they saw."""


class Sighting(Wire):
    """What one watcher saw: the numbers of the events, and what they held, in their order."""

    run_id: str
    numbers: tuple[int, ...]
    digests: tuple[str, ...]
    connections: int


class Sightings(Wire):
    """What all of them saw."""

    seen: tuple[Sighting, ...]


async def watch_all(plan: Plan) -> Sightings:
    """Watch as planned; every second watcher is cut off now and then."""
    chance = random.Random(len(plan.watched))
    seen = [Seen(each.run_id) for each in plan.watched]
    seated = [asyncio.Event() for _ in plan.watched]
    async with asyncio.timeout(plan.patience_seconds), asyncio.TaskGroup() as watching:
        for place, each in enumerate(plan.watched):
            cuts = _cuts(chance) if place % 2 else []
            going = watch(plan.port, each.key, seen[place], cuts, seated[place])
            watching.create_task(going)
        for each in seated:
            await each.wait()
        say_ready()
    return Sightings(seen=tuple(map(_sighting, seen)))


def _cuts(chance: random.Random) -> list[int]:
    return [chance.randint(1, _LONGEST_STAY) for _ in range(chance.randint(1, _MOST_CUTS))]


def _sighting(seen: Seen) -> Sighting:
    numbers: Sequence[int] = [number for number, _ in seen.events]
    return Sighting(
        run_id=seen.run_id,
        numbers=tuple(numbers),
        digests=tuple(digest for _, digest in seen.events),
        connections=seen.connections,
    )


if __name__ == "__main__":
    told = Plan.model_validate_json(sys.argv[1])
    Path(told.into).write_text(asyncio.run(watch_all(told)).model_dump_json())
