"""``GET /v1/runs/{id}/events``: server-sent events of a run, resumable."""

from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse

from veridical.server.authorization import ReadAccess
from veridical.server.openapi_responses import problems
from veridical.server.parameters import Identifier, LastEventId
from veridical.server.run_stream import open_run_stream
from veridical.server.services import ServicesDep
from veridical.server.stream import HEADERS, MEDIA_TYPE

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
    stream = await open_run_stream(request.app.state, services, identity, run_id, after)
    if stream is None:
        return Response(status_code=204)
    return StreamingResponse(stream, headers=HEADERS, media_type=MEDIA_TYPE)
