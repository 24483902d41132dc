"""What is done to workers and database while runs go on."""

import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from benchmarks.durability.fleet import Fleet
from benchmarks.durability.ground import Ground
from benchmarks.durability.size import Size

_BOTH = 0.15
"""How likely it is that all workers are killed at once."""
_LONGEST_OUTAGE = 3.0
_LEASES = 1.4, 2.5
"""How long a frozen worker is silent."""


class Disturbance(StrEnum):
    """One thing that goes wrong."""

    KILL = "kill"
    CRASH = "crash"
    FREEZE = "freeze"


@dataclass(frozen=True)
class Disturbances:
    """All of them, in an order that the seed gives; when they fall, nobody knows."""

    fleet: Fleet
    ground: Ground
    size: Size
    chance: random.Random
    counts: Counter[Disturbance] = field(default_factory=Counter[Disturbance])

    def order(self) -> list[Disturbance]:
        """Which comes when."""
        size = self.size
        all_of_them = [
            *[Disturbance.KILL] * size.kills,
            *[Disturbance.CRASH] * size.crashes,
            *[Disturbance.FREEZE] * size.freezes,
        ]
        self.chance.shuffle(all_of_them)
        return all_of_them

    def happen(self, order: Sequence[Disturbance]) -> Iterator[Disturbance]:
        """Let each happen after a while."""
        for each in order:
            time.sleep(self.chance.uniform(0, self.size.quiet_seconds))
            self.counts[each] += self._let(each)
            yield each

    def _let(self, disturbance: Disturbance) -> int:
        match disturbance:
            case Disturbance.KILL:
                return self._kill()
            case Disturbance.CRASH:
                self.ground.crash()
                time.sleep(self.chance.uniform(0, _LONGEST_OUTAGE))
                self.ground.restart()
                return 1
            case Disturbance.FREEZE:
                post = self.chance.choice(self.fleet.posts)
                seconds = self.size.lease_seconds * self.chance.uniform(*_LEASES)
                return int(self.fleet.freeze(post, seconds))

    def _kill(self) -> int:
        posts = self.fleet.posts
        if self.chance.random() >= _BOTH:
            posts = [self.chance.choice(posts)]
        return self.fleet.kill(posts)
