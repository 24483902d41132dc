"""``/console/requirements``: requirements pasted, marked, rewritten and compared."""

import asyncio

from fastapi import APIRouter, Request, Response

from veridical.console.form import field, form_of
from veridical.console.page import page
from veridical.console.requirement_view import LONGEST, MOST, VERDICT_MOODS, review_view
from veridical.server.answerer import AnswererDep
from veridical.server.authorization import AskAccess

router = APIRouter(prefix="/console/requirements")


@router.get("")
async def form(request: Request, identity: AskAccess) -> Response:
    """Where the text goes."""
    return page(request, "requirements.html", text="", view=None, most=MOST, moods=VERDICT_MOODS)


@router.post("")
async def reviewed(request: Request, identity: AskAccess, here: AnswererDep) -> Response:
    """What the rules find; nothing is kept."""
    fields = await form_of(request)
    text = field(fields, "text", MOST * LONGEST)
    with here.place(identity):
        view = await asyncio.to_thread(review_view, text) if text else None
    return page(request, "requirements.html", text=text, view=view, most=MOST, moods=VERDICT_MOODS)
