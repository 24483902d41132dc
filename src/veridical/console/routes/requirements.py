"""``/console/requirements``: requirements pasted, marked, rewritten and compared."""

import asyncio
from typing import Any

from fastapi import APIRouter, Request, Response

from veridical.console.form import field, form_of
from veridical.console.page import language_of, page
from veridical.contracts.extras import MissingExtraError, require
from veridical.server.answerer import AnswererDep
from veridical.server.authorization import AskAccess

router = APIRouter(prefix="/console/requirements")

MOST = 100
"""Requirements of one page."""
LONGEST = 2_000


@router.get("")
async def form(request: Request, identity: AskAccess) -> Response:
    """Where the text goes."""
    return _page(request)


@router.post("")
async def reviewed(request: Request, identity: AskAccess, here: AnswererDep) -> Response:
    """What the rules find; nothing is kept."""
    fields = await form_of(request)
    text = field(fields, "text", MOST * LONGEST)
    try:
        require("requirements")
    except MissingExtraError as error:
        return _page(request, text, missing=error.message(language_of(request)))
    from veridical.console.requirement_view import review_view  # needs the extra

    lines = [line[:LONGEST] for line in text.splitlines()]
    with here.place(identity):
        view = await asyncio.to_thread(review_view, lines, MOST)
    return _page(request, text, view)


def _page(request: Request, text: str = "", view: Any = None, missing: str = "") -> Response:
    return page(request, "requirements.html", text=text, view=view, missing=missing, most=MOST)
