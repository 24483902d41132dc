"""A search for files that crash their reader, or make it slow or hungry.

Every recipe of a format is tried with all its fragments at 100 kilobytes, and the slowest are
mutated further. ``slowest_ms`` is the processor's time of the caller and of the process that reads
the file, ``slowest_wait_ms`` the clock's while the caller waits, ``hungriest_mb`` the resident
memory of that process at its peak, above that of one that reads an empty file.
"""

import logging
import random
import signal
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter, process_time
from typing import Any, NamedTuple

from benchmarks.fuzz_search import mutated
from benchmarks.hostile_files.formats import Format, formats
from benchmarks.hostile_files.texts import ANY
from veridical.limited_process.frame import Status

SIZE = 100_000
_AGAIN = 3
_KEPT = 4
_LIMITS = (0, signal.SIGPROF, signal.SIGALRM)
"""How a reading process may end."""


class Tried(NamedTuple):
    """A file, by how it was made, and how slow it was."""

    seconds: float
    recipe: int
    fragment: str


@dataclass
class Worst:
    """The worst that was met in one format."""

    ranked: list[Tried] = field(default_factory=list[Tried])
    crashes: list[str] = field(default_factory=list[str])
    waited: float = 0.0
    hungriest: tuple[float, str] = (0.0, "")
    refused: int = 0

    def as_figures(self) -> dict[str, Any]:
        """As they are printed."""
        slowest = max(self.ranked)
        return {
            "inputs": len(self.ranked),
            "refused": self.refused,
            "crashes": len(self.crashes),
            "slowest_ms": round(slowest.seconds * 1000, 1),
            "slowest_wait_ms": round(self.waited * 1000, 1),
            "hungriest_mb": round(self.hungriest[0], 1),
            "worst": {
                "slowest": slowest.fragment[:60],
                "hungriest": self.hungriest[1],
                "crashes": self.crashes[:5],
            },
        }


class _Watch:
    """What the processes that read files report, and what nobody foresaw."""

    def __init__(self) -> None:
        self.statuses: list[Status] = []
        self.unforeseen = Counter[str]()

    def note(self, record: logging.LogRecord) -> None:
        """Take in what is logged."""
        if isinstance(record.args, tuple) and isinstance(record.args[-1], Status):
            self.statuses.append(record.args[-1])
        elif record.levelno >= logging.WARNING:
            self.unforeseen[record.getMessage().strip().rpartition("\n")[2][:200]] += 1


@contextmanager
def _watching() -> Generator[_Watch]:
    watch, handler = _Watch(), logging.Handler()
    handler.emit = watch.note
    names = ("limited_process", "search", "requirements")
    loggers = [logging.getLogger(f"veridical.{name}") for name in names]
    before = [(each.level, each.propagate) for each in loggers]
    for each in loggers:
        each.addHandler(handler)
        each.setLevel(logging.DEBUG)
        each.propagate = False
    try:
        yield watch
    finally:
        for each, (level, propagate) in zip(loggers, before, strict=True):
            each.removeHandler(handler)
            each.setLevel(level)
            each.propagate = propagate


def search_files(*, smoke: bool, seed: int) -> dict[str, Worst]:
    """The worst files of every format."""
    found: dict[str, Worst] = {}
    with _watching() as watch:
        for name, kind in formats().items():
            found[name] = _worst(kind, watch, smoke, random.Random(seed))
    return found


def _worst(kind: Format, watch: _Watch, smoke: bool, chance: random.Random) -> Worst:
    worst = Worst()
    kind.judged(b"")  # what is loaded at the first use is not what is measured
    watch.statuses.clear()
    watch.unforeseen.clear()
    kind.judged(b"")
    begun_mb = watch.statuses[-1].peak_mb if watch.statuses else 0.0
    for at, recipe in enumerate(kind.recipes):
        for fragment in recipe.fragments[: 1 if smoke else None]:
            _try(kind, at, fragment, watch, worst, begun_mb)
    for _ in range(0 if smoke else 3):
        for each in sorted(worst.ranked, reverse=True)[:_KEPT]:
            other = chance.choice((*kind.recipes[each.recipe].fragments, *ANY))
            fragment = mutated(each.fragment, other, chance)
            _try(kind, each.recipe, fragment, watch, worst, begun_mb)
    worst.crashes += [f"{many} × {each}" for each, many in watch.unforeseen.items()]
    return worst


def _try(
    kind: Format, at: int, fragment: str, watch: _Watch, worst: Worst, begun_mb: float
) -> None:
    content = kind.recipes[at].made(fragment, SIZE)
    seconds = waited = float("inf")
    for _ in range(_AGAIN):
        watch.statuses.clear()
        start, began = process_time(), perf_counter()
        try:
            worst.refused += not kind.judged(content)
        except Exception as error:
            worst.crashes.append(f"{type(error).__name__}: {fragment[:60]}")
        waited = min(waited, perf_counter() - began)
        spent = sum(each.seconds for each in watch.statuses)
        seconds = min(seconds, process_time() - start + spent)
        if waited <= worst.waited:  # only what would be the worst is worth another look
            break
    for each in watch.statuses:
        if each.signal not in _LIMITS:
            worst.crashes.append(f"{signal.Signals(each.signal).name}: {fragment[:60]}")
        worst.hungriest = max(worst.hungriest, (each.peak_mb - begun_mb, fragment[:60]))
    worst.waited = max(worst.waited, waited)
    worst.ranked.append(Tried(seconds, at, fragment))
