"""The stream of one run for one watcher, who has a place among all watchers."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing

from starlette.datastructures import State

from veridical.runs.errors import RunNotFoundError
from veridical.runs.state import WatchedEvent
from veridical.server.concurrency_limit import ConcurrencyLimit
from veridical.server.identity import Identity
from veridical.server.services import Services
from veridical.server.stream import Encode, StreamTiming, as_message, event_stream


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
