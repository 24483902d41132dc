"""``GET /v1/runs/{id}/events``: server-sent events of a run, resumable."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing

from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse

from veridical.runs.errors import RunNotFoundError
from veridical.runs.state import WatchedEvent
from veridical.server.authorization import ReadAccess
from veridical.server.concurrency_limit import ConcurrencyLimit
from veridical.server.identity import Identity
from veridical.server.openapi_responses import problems
from veridical.server.parameters import Identifier, LastEventId
from veridical.server.services import ServicesDep
from veridical.server.stream import HEADERS, MEDIA_TYPE, StreamTiming, event_stream

router = APIRouter(prefix="/v1/runs", tags=["runs"])

_EVENT = {
    "type": "object",
    "properties": {
        "id": {"type": "string", "description": "The event's number; progress has none."},
        "event": {"type": "string", "description": "Its kind."},
        "data": {"type": "string", "description": "The event as JSON."},
        "retry": {"type": "integer", "description": "Milliseconds to wait before connecting."},
    },
}
_EXAMPLE = (
    "retry: 2000\n\n"
    'id: 0\nevent: runStarted\ndata: {"kind":"runStarted","at":1731672000.0}\n\n'
    "id: 5\nevent: answered\ndata: {…}\n\n"
)


@router.get(
    "/{id}/events",
    summary="Watch a run",
    response_class=StreamingResponse,
    responses={
        200: {
            "description": "Events; each has its number in the run as id and its kind as event.",
            "content": {MEDIA_TYPE: {"schema": _EVENT, "example": _EXAMPLE}},
        },
        204: {"description": "The run is over, and all its events were seen."},
        **problems(404),
    },
)
async def watch(
    request: Request,
    run_id: Identifier,
    identity: ReadAccess,
    services: ServicesDep,
    after: LastEventId = -1,
) -> Response:
    """Server-sent events until the run's last one. ``Last-Event-ID`` takes up again after it."""
    limit: ConcurrencyLimit = request.app.state.watchers
    limit.refuse_when_full(identity)
    state = await asyncio.to_thread(services.runs.state, run_id, identity.tenant)
    if state is None:
        raise RunNotFoundError(run_id)
    events = services.runs.watch(run_id, identity.tenant, after)
    if state.status.is_final:
        first = await anext(events, None)
        if first is None:
            return Response(status_code=204)
        events = _continued(first, events)
    settings = services.settings
    rhythm = StreamTiming(settings.heartbeat_seconds, settings.retry_seconds)
    stream = event_stream(events, rhythm, request.app.state.closing)
    return StreamingResponse(
        _seated(stream, limit, identity), headers=HEADERS, media_type=MEDIA_TYPE
    )


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
