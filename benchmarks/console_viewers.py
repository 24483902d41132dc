"""Many who look at one run while it goes on, each over a connection of their own.

A worker reviews requirements as a run; everybody is connected to its page's stream before it
begins. Every second viewer leaves now and then and comes back with ``Last-Event-ID``. What each of
them was sent is compared with the events that the database has: ``lost_steps`` counts those that
somebody was not sent, ``repeated_steps`` those that came twice or out of order. Whoever
is over the tenant's limit of requests comes back after the time that the server names, as the
page's script does: ``viewer_retries``.
"""

import asyncio
import random
import statistics
import time
from contextlib import ExitStack, aclosing
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any
from urllib.parse import urlsplit

import httpx2
from sqlalchemy import text

from benchmarks.server_load.ground import SMALL, Ground
from benchmarks.server_load.processes import started
from benchmarks.server_load.watcher import NotStreamedError, stream_of
from veridical.contracts.caller import Caller
from veridical.contracts.requirements_review import ReviewTask
from veridical.runs.port import open_runs
from veridical.runs.request import review_request
from veridical.server.identity import Role
from veridical.server.keys import create_key
from veridical.store.connection import Store

_BATCH = 20
_NUMBERS = text("SELECT sequence FROM veridical.events WHERE trace_id = :run_id ORDER BY sequence")
_PER_KEY = 100
"""Viewers with one key: a server lets 200 watch with one."""
_AT_ONCE = 16
"""Connections that are opened at the same time."""
_CUTS = (1, 4)
_PATIENCE = 600.0
_LAST = "done"
_SAME = {"sec-fetch-site": "same-origin"}


@dataclass
class Viewer:
    """One who looks, and what they were sent."""

    cookie: str
    cuts: list[int]
    numbers: list[int] = field(default_factory=list[int])
    at: dict[int, float] = field(default_factory=dict[int, float])
    """When each step came."""
    connections: int = 0
    retries: int = 0
    seated: asyncio.Event = field(default_factory=asyncio.Event)


def viewers(address: str, ground: Ground, count: int, steps: int) -> dict[str, Any]:
    """The figures for so many viewers of a run of about so many steps."""
    with open_runs(ground.orders.settings) as runs:
        task = ReviewTask(
            requirements=tuple(
                f"The pump {place} shall stop within {place % 60 + 1} s."
                for place in range(steps * _BATCH)
            ),
            most_questions=0,
        )
        asked = review_request(task, Caller(name="Ada", member_of=SMALL))
        run_id = runs.start(asked, SMALL, "Ada").run_id
        watching = asyncio.run(_watched(address, ground, run_id, count))
    stored = _stored(ground, run_id)
    lags = [
        1000 * (max(times) - min(times))
        for number in stored
        if (times := [each.at[number] for each in watching if number in each.at])
    ]
    return {
        "viewers": count,
        "viewer_steps": len(stored),
        "viewer_connections": sum(each.connections for each in watching),
        "viewer_retries": sum(each.retries for each in watching),
        "lost_steps": sum(len(set(stored) - set(each.numbers)) for each in watching),
        "repeated_steps": sum(_repeated(each.numbers) for each in watching),
        "spread_p50_ms": round(statistics.median(lags), 1),
    }


def _repeated(numbers: list[int]) -> int:
    """Steps that came again, or after a later one."""
    return sum(later <= before for before, later in pairwise(numbers))


def _stored(ground: Ground, run_id: str) -> list[int]:
    store = Store(ground.orders.runs_url)
    try:
        with store.tenant(SMALL) as connection:
            found = connection.execute(_NUMBERS, {"run_id": run_id})
            return [row.sequence for row in found]
    finally:
        store.close()


async def _watched(address: str, ground: Ground, run_id: str, count: int) -> list[Viewer]:
    chance = random.Random(count)
    cookies = _cookies(address, ground, -(-count // _PER_KEY))
    watching = [
        Viewer(
            cookies[place // _PER_KEY],
            [chance.randint(*_CUTS) for _ in range(3)] if place % 2 else [],
        )
        for place in range(count)
    ]
    port = urlsplit(address).port or 0
    with ExitStack() as stack:
        async with asyncio.timeout(_PATIENCE), asyncio.TaskGroup() as group:
            for start in range(0, count, _AT_ONCE):
                some = watching[start : start + _AT_ONCE]
                for viewer in some:
                    group.create_task(_view(port, run_id, viewer))
                for viewer in some:
                    await viewer.seated.wait()
            worker = started("working", ground.orders, ground.folder)
            await asyncio.to_thread(stack.enter_context, worker)
    return watching


async def _view(port: int, run_id: str, viewer: Viewer) -> None:
    """Looks until the run is over; leaves and comes back after so many steps each time."""
    is_over = False
    while not is_over:
        cut = viewer.cuts[-1] if viewer.cuts else 0
        try:
            is_over = await _viewed(port, run_id, viewer, cut)
        except NotStreamedError as error:
            if error.retry_after is None:
                raise
            viewer.retries += 1
            await asyncio.sleep(error.retry_after)
        else:
            viewer.cuts = viewer.cuts[:-1]


async def _viewed(port: int, run_id: str, viewer: Viewer, cut: int) -> bool:
    headers = {"cookie": viewer.cookie}
    if viewer.numbers:
        headers["last-event-id"] = str(viewer.numbers[-1])
    viewer.connections += 1
    taken = 0
    async with aclosing(stream_of(port, f"/console/runs/{run_id}/events", headers)) as messages:
        async for message in messages:
            viewer.seated.set()
            if message.name == _LAST:
                return True
            if message.number is None:
                continue
            viewer.numbers.append(message.number)
            viewer.at.setdefault(message.number, time.monotonic())
            taken += 1
            if taken == cut:
                return False
    return False


def _cookies(address: str, ground: Ground, count: int) -> list[str]:
    """Sessions of so many people."""
    store = Store(ground.orders.runs_url)
    cookies: list[str] = []
    for place in range(count):
        with store.tenant(SMALL) as connection:
            key = create_key(connection, SMALL, f"viewer {place}", Role.VIEWER, actor="benchmark")
        signed = httpx2.post(f"{address}/console/signin", data={"key": key.key}, headers=_SAME)
        cookies.append(signed.headers["set-cookie"].partition(";")[0])
    store.close()
    return cookies
