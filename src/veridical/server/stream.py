"""Server-sent events of a run, resumable by a browser's ``EventSource``; each watcher
has a place."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing, suppress
from dataclasses import dataclass

from starlette.datastructures import State

from veridical.runs.errors import RunNotFoundError
from veridical.runs.state import WatchedEvent
from veridical.server.body_types import written
from veridical.server.identity import Identity
from veridical.server.limits import ConcurrencyLimit
from veridical.server.services import Services

MEDIA_TYPE = "text/event-stream"
HEADERS = {"cache-control": "no-store", "x-accel-buffering": "no"}
_ALIVE = b": alive\n\n"
_CLOSING = b": the server is closing, connect again\n"


@dataclass(frozen=True, slots=True)
class StreamTiming:
    """Heartbeat and retry intervals of a stream."""

    heartbeat_seconds: float
    retry_seconds: float = 2.0
    """Seconds that a watcher waits before it connects again."""


def as_message(watched: WatchedEvent) -> bytes:
    """One event on the wire. Progress has no id: it is not sent again on reconnection."""
    number = "" if watched.sequence is None else f"id: {watched.sequence}\n"
    head = f"{number}event: {watched.event.kind}\ndata: ".encode()
    return b"".join((head, written(watched.event), b"\n\n"))


Encode = Callable[[WatchedEvent], bytes]
"""Writes one event as a message of the stream."""


async def event_stream(
    events: AsyncIterator[WatchedEvent],
    rhythm: StreamTiming,
    closing: asyncio.Event,
    encode: Encode = as_message,
) -> AsyncGenerator[bytes]:
    """The events until the last one; ends early, with a word when to come back, on ``closing``."""
    retry = f"retry: {round(rhythm.retry_seconds * 1000)}\n\n".encode()
    yield retry
    closed = asyncio.ensure_future(closing.wait())
    coming = asyncio.ensure_future(_next(events))
    try:
        while True:
            await asyncio.wait(
                (coming, closed),
                timeout=rhythm.heartbeat_seconds,
                return_when=asyncio.FIRST_COMPLETED,
            )
            if coming.done():
                event = coming.result()
                if event is None:
                    return
                yield encode(event)
                coming = asyncio.ensure_future(_next(events))
            elif closed.done():
                yield _CLOSING + retry
                return
            else:
                yield _ALIVE
    finally:
        for task in (closed, coming):
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        if isinstance(events, AsyncGenerator):
            await events.aclose()


async def _next(events: AsyncIterator[WatchedEvent]) -> WatchedEvent | None:
    return await anext(events, None)


async def open_run_stream(
    state: State,
    services: Services,
    identity: Identity,
    run_id: str,
    after: int,
    encode: Encode = as_message,
) -> AsyncGenerator[bytes] | None:
    """A run's events after this one, as messages until the last of them; none where the run is
    over and all of them were seen. ``state`` is that of the application.

    Raises ``RunNotFoundError``; and ``ProblemError`` when no place is free.
    """
    limit: ConcurrencyLimit = state.watchers
    limit.refuse_when_full(identity)
    status = await asyncio.to_thread(services.runs.status, run_id, identity.tenant)
    if status is None:
        raise RunNotFoundError(run_id)
    events = services.runs.watch(run_id, identity.tenant, after)
    if status.is_final:
        first = await anext(events, None)
        if first is None:
            return None
        events = _continued(first, events)
    settings = services.settings
    rhythm = StreamTiming(settings.heartbeat_seconds)
    return _seated(event_stream(events, rhythm, state.closing, encode), limit, identity)


async def _continued(
    first: WatchedEvent, others: AsyncIterator[WatchedEvent]
) -> AsyncGenerator[WatchedEvent]:
    yield first
    async for event in others:
        yield event


async def _seated(
    stream: AsyncGenerator[bytes], limit: ConcurrencyLimit, identity: Identity
) -> AsyncGenerator[bytes]:
    """The stream with a place of its own. A watcher who never reads it never takes one."""
    with limit.unchecked_slot(identity):
        async with aclosing(stream):
            async for part in stream:
                yield part
