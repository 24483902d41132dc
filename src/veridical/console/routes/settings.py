"""``/console/settings``: the reader's language, colours and account."""

from fastapi import APIRouter, Request, Response
from starlette.responses import RedirectResponse

from veridical.console.form import field, form_of
from veridical.console.page import page
from veridical.console.routes.signin import inside
from veridical.console.theme import Theme, keep_theme, theme_of
from veridical.server.auth import ReadAccess

router = APIRouter(prefix="/console")


@router.get("/settings")
async def show(request: Request, identity: ReadAccess) -> Response:
    """The page."""
    return page(request, "settings.html", role=identity.role, chosen=theme_of(request))


@router.post("/theme")
async def choose_theme(request: Request, identity: ReadAccess) -> Response:
    """Remembers the colours, and shows the same page again."""
    fields = await form_of(request)
    response = RedirectResponse(inside(field(fields, "next")), 303)
    if (chosen := field(fields, "theme")) in set(Theme):
        keep_theme(response, Theme(chosen))
    return response
