"""The worker processes, who starts them again, and what is done to them."""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from benchmarks.durability.ground import Ground, Orders, Size
from benchmarks.durability.worker import at_work

_RESTART_SECONDS = 0.5
_LOOK_SECONDS = 0.1


@dataclass
class Post:
    """A place for one worker; whoever holds it may change."""

    name: str
    orders: Orders
    process: "subprocess.Popen[bytes]"
    gone_at: float | None = None
    started: int = 1


@dataclass
class Fleet:
    """Workers that are started again whenever they end, unless the fleet is down."""

    orders: Orders
    patience_seconds: float
    posts: list[Post] = field(default_factory=list[Post])
    _is_up: bool = True
    _lock: threading.RLock = field(default_factory=threading.RLock)
    _ended: threading.Event = field(default_factory=threading.Event)

    def kill(self, posts: Iterable[Post]) -> int:
        """End workers without a word, once all of them are at work; how many there were."""
        processes = [self._at_work(post) for post in posts]
        return sum(self._signal(process, signal.SIGKILL) for process in processes)

    def freeze(self, post: Post, seconds: float) -> bool:
        """Stop a worker that is at work for so long, then let it go on as if nothing was."""
        process = self._at_work(post)
        if not self._signal(process, signal.SIGSTOP):
            return False
        time.sleep(seconds)
        return self._signal(process, signal.SIGCONT)

    def deploy(self, release: int) -> None:
        """Put this release in the place of the one before, one worker after the other."""
        self.orders = self.orders.model_copy(update={"release": release})
        for post in self.posts:
            self._at_work(post)
            with self._lock:
                post.orders = self.orders
                process = post.process
                self._signal(process, signal.SIGTERM)
            process.wait()

    def take_down(self) -> None:
        """Kill all, and start none again until told so."""
        with self._lock:
            self._is_up = False
            for post in self.posts:
                self._signal(post.process, signal.SIGKILL)
                post.process.wait()

    def bring_up(self) -> None:
        """Start all that are gone, now and from now on."""
        with self._lock:
            self._is_up = True
            for post in self.posts:
                self._start(post)

    def add(self, name: str) -> None:
        """One worker more."""
        with self._lock:
            self.posts.append(Post(name, self.orders, _spawn(self.orders, name)))

    def look_after(self) -> None:
        """Start again whoever is gone, until the fleet is dismissed."""
        while not self._ended.wait(_LOOK_SECONDS):
            with self._lock:
                for post in self.posts:
                    if self._is_up and post.process.poll() is not None:
                        self._replace(post)

    def dismiss(self) -> None:
        """End all for good."""
        self._ended.set()
        self.take_down()

    def _replace(self, post: Post) -> None:
        now = time.monotonic()
        if post.gone_at is None:
            post.gone_at = now
        elif now - post.gone_at >= _RESTART_SECONDS:
            self._start(post)

    def _start(self, post: Post) -> None:
        post.process = _spawn(post.orders, post.name)
        post.started += 1
        post.gone_at = None

    def busy(self) -> list[Post]:
        """Those whose worker has taken a run."""
        scratch = Path(self.orders.scratch)
        return [
            post
            for post in self.posts
            if post.process.poll() is None and at_work(scratch, post.process.pid).exists()
        ]

    def _at_work(self, post: Post) -> "subprocess.Popen[bytes]":
        """The process of this post, once it has taken a run or seems to have none to take."""
        end = time.monotonic() + self.patience_seconds
        while time.monotonic() < end:
            process = post.process
            if process.poll() is None and at_work(Path(post.orders.scratch), process.pid).exists():
                break
            time.sleep(_LOOK_SECONDS)
        return post.process

    def _signal(self, process: "subprocess.Popen[bytes]", number: signal.Signals) -> bool:
        if process.poll() is not None:
            return False
        process.send_signal(number)
        return True


@contextmanager
def open_fleet(orders: Orders, size: int, patience_seconds: float) -> Generator[Fleet]:
    """So many workers, looked after until the block ends."""
    fleet = Fleet(orders, patience_seconds)
    for number in range(size):
        fleet.add(f"worker-{number}")
    keeper = threading.Thread(target=fleet.look_after, name="keeper", daemon=True)
    keeper.start()
    try:
        yield fleet
    finally:
        fleet.dismiss()
        keeper.join()


def _spawn(orders: Orders, name: str) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "benchmarks.durability.worker", orders.model_dump_json()]
    log = Path(orders.scratch) / f"{name}.log"
    with log.open("ab") as written:
        return subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=written, stderr=written, env=dict(os.environ)
        )


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
