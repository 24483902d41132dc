"""``/health``: liveness and readiness."""

from fastapi import APIRouter, Request, Response

from veridical.contracts.wire import Wire
from veridical.server.body_types import written
from veridical.server.health import Health, Readiness
from veridical.server.openapi_responses import problem

router = APIRouter(prefix="/health", tags=["operation"])


class Liveness(Wire):
    """That the process answers at all."""

    alive: bool = True


@router.get("/live", summary="Whether the process is alive", responses={500: problem(500)})
async def live() -> Liveness:
    """Says nothing of anything around it: a restart would not mend that."""
    return Liveness()


@router.get(
    "/ready",
    summary="Whether the server can do its work",
    response_model=Readiness,
    responses={
        503: {"model": Readiness, "description": "Something that it needs is missing."},
        500: problem(500),
    },
)
async def ready(request: Request) -> Response:
    """Looks each time: at the database, its tables, the workers, and the data."""
    health: Health = request.app.state.health
    found = await health.look()
    return Response(written(found), 200 if found.ready else 503, media_type="application/json")
