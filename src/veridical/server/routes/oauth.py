"""``/.well-known/oauth-protected-resource/mcp``: where people sign in for ``/mcp``."""

from fastapi import APIRouter
from starlette.responses import JSONResponse

from veridical.server.oauth_resource import METADATA
from veridical.server.openapi import problem
from veridical.server.problem import ProblemCode, ProblemError
from veridical.server.services import ServicesDep

router = APIRouter(tags=["operation"])


@router.get(
    METADATA,
    summary="Which provider issues tokens for /mcp (RFC 9728)",
    response_class=JSONResponse,
    responses={404: problem(404), 500: problem(500)},
)
async def protected_resource(services: ServicesDep) -> JSONResponse:
    """Not found where `mcp_url` is not set. Raises ``ProblemError``."""
    if services.oauth is None:
        raise ProblemError(ProblemCode.NOT_FOUND)
    return JSONResponse(services.oauth.metadata())
