"""``/health`` and ``/metrics``: liveness, readiness, and counters for who has the token or is on
the same machine."""

import hmac

from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST

from veridical.contracts.wire import Wire
from veridical.server.body_types import written
from veridical.server.health import Health, Readiness
from veridical.server.metrics import Metrics
from veridical.server.openapi import problem
from veridical.server.problem import ProblemCode, ProblemError
from veridical.server.services import ServicesDep

router = APIRouter(tags=["operation"])

_FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip")
_LOOPBACK = frozenset({"127.0.0.1", "::1"})
_OWN_NAMES = frozenset({"localhost", "127.0.0.1", "[::1]"})


class Liveness(Wire):
    """The process is alive."""

    alive: bool = True


@router.get("/health/live", summary="Whether the process is alive", responses={500: problem(500)})
async def live() -> Liveness:
    """Checks the process alone: a restart would not repair anything around it."""
    return Liveness()


@router.get(
    "/health/ready",
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


@router.get(
    "/metrics",
    summary="Counters for Prometheus",
    response_class=Response,
    responses={
        200: {"content": {"text/plain": {"schema": {"type": "string"}}}},
        401: problem(401),
        500: problem(500),
    },
)
async def metrics(request: Request, services: ServicesDep) -> Response:
    """In the text format of Prometheus."""
    token = services.settings.metrics_token
    allowed = _is_local(request) if token is None else _is_held(request, token.get_secret_value())
    if not allowed:
        raise ProblemError(ProblemCode.UNAUTHENTICATED)
    health: Health = request.app.state.health
    await health.look()  # the workers are counted there
    counted: Metrics = request.app.state.metrics
    return Response(counted.text(), media_type=CONTENT_TYPE_LATEST)


def _is_held(request: Request, token: str) -> bool:
    given = request.headers.get("authorization", "")
    return hmac.compare_digest(given.encode(), f"Bearer {token}".encode())


def _is_local(request: Request) -> bool:
    """Whether somebody on this machine asks: not a proxy for others, nor a page in a browser that
    was made to believe that its own name leads here."""
    if request.client is None or any(name in request.headers for name in _FORWARDED):
        return False
    host = request.headers.get("host", "")
    named = host if host.endswith("]") else host.rpartition(":")[0] or host
    return named in _OWN_NAMES and request.client.host in _LOOPBACK
