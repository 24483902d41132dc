"""A tenant's known questions in turn alone and beside an attack, so that the noise of a machine
is in both, and what the attack does to the server meanwhile."""

import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from typing import Any

from benchmarks.scripted_balances import PACK
from benchmarks.server_load.script import known_questions
from benchmarks.walls.asking import Asker, Times, beside
from benchmarks.walls.attackers import attack
from benchmarks.walls.ground import ATTACKER, VICTIM, Ground, Size
from benchmarks.walls.worst import Sent

_WARMING = 10
_BUILDING_UP = 2.0
"""Seconds until all attackers are at work."""


def attacked(at: Ground, size: Size, seed: int) -> dict[str, Any]:
    """The figures of it."""
    questions = (known.text for known in known_questions())
    asker = Asker(at.port, at.keys[VICTIM])
    alone, during, health = Times(), Times(), Times()
    before = at.memory_mb()
    peak = [before]
    each = size.asks // size.phases
    with attack(at.port, at.keys[ATTACKER], seed, size.lines, size.watchers) as hostile:
        hostile.on()  # what is loaded and compiled at the first use, everybody waits for once
        time.sleep(size.warming)
        hostile.off()
        _ask(asker, Times(), islice(questions, _WARMING), 0)
        for _ in range(size.phases):
            _ask(asker, alone, islice(questions, each), size.pause)
            hostile.on()
            time.sleep(_BUILDING_UP)
            with beside(partial(_watch, at, health, peak)):
                _ask(asker, during, islice(questions, each), size.pause)
            hostile.off()
        told = hostile.told()
    asker.close()
    return {
        "victim_p95_ratio": round(during.p95_ms / alone.p95_ms, 2),
        "victim_p95_ms_alone": alone.p95_ms,
        "victim_p95_ms_beside": during.p95_ms,
        "victim_asks": len(during.seconds),
        "victim_statuses": dict(alone.statuses + during.statuses),
        "health_p95_ms": health.p95_ms,
        "health_looks": len(health.seconds),
        "peak_rss_mb": round(max(peak) - before, 1),
        "start_rss_mb": round(before, 1),
        "hostile_lines": size.lines_of_all_kinds,
        "hostile_streams": size.watchers,
        "hostile_requests": sum(told.values()),
        "hostile_statuses": told,
    }


def _watch(at: Ground, health: Times, peak: list[float], goes_on: Callable[[], bool]) -> None:
    looker = Asker(at.port)
    while goes_on():
        health.take(partial(looker.send, None, "/health/live"))
        peak.append(at.memory_mb())
        time.sleep(0.1)
    looker.close()


def _ask(asker: Asker, times: Times, questions: Iterator[str], pause: float) -> None:
    asker.close()  # a line that was idle for long is closed by the server
    for question in questions:
        body = {"feature": PACK.name, "question": question}
        times.take(partial(asker.send, Sent("/v1/ask", body)))
        time.sleep(pause)
