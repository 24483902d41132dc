"""Server-sent events of a run, resumable by a browser's ``EventSource``."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import suppress
from dataclasses import dataclass

from veridical.runs.state import WatchedEvent
from veridical.server.body_types import written

MEDIA_TYPE = "text/event-stream"
HEADERS = {"cache-control": "no-store", "x-accel-buffering": "no"}
_ALIVE = b": alive\n\n"
_CLOSING = b": the server is closing, connect again\n"


@dataclass(frozen=True, slots=True)
class StreamTiming:
    """Heartbeat and retry intervals of a stream."""

    heartbeat_seconds: float
    retry_seconds: float = 2.0
    """How long a watcher waits before it connects again."""


def as_message(watched: WatchedEvent) -> bytes:
    """One event on the wire. Progress has no id: whoever comes back need not see it again."""
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
