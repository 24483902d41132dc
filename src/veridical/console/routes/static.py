"""``/console/static``: style, scripts and the icon; and the redirect to the first page."""

from fastapi import APIRouter, Request, Response
from starlette.responses import RedirectResponse

from veridical.console.asset import assets
from veridical.console.page import HOME
from veridical.server.problem import ProblemCode, ProblemError

router = APIRouter()

_FOR_LONG = "public, max-age=31536000, immutable"


@router.get("/console/static/{name:path}")
async def static(request: Request, name: str) -> Response:
    """A file of the console."""
    found = assets().get(name)
    if found is None:
        raise ProblemError(ProblemCode.NOT_FOUND)
    headers = {"cache-control": _FOR_LONG, "vary": "accept-encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["content-encoding"] = "gzip"
        return Response(found.compressed, media_type=found.media_type, headers=headers)
    return Response(found.content, media_type=found.media_type, headers=headers)


@router.get("/")
@router.get("/console")
async def home() -> Response:
    """Redirects to the first page."""
    return RedirectResponse(HOME, 303)
