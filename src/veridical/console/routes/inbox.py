"""``/console/inbox``: what waits for a person, exactly as it was shown, and their decision."""

import asyncio
import json
from typing import Any

from fastapi import APIRouter, Request, Response
from starlette.responses import RedirectResponse

from veridical.console.form import Form, field, form_of
from veridical.console.page import page
from veridical.contracts.person import RESULTS, TEXT, ItemKind
from veridical.runs.inbox_errors import ItemNotFoundError, MayNotSeeError
from veridical.runs.inbox_item import InboxItem, ItemStatus, Ruling, may_see
from veridical.server.authorization import ReadAccess
from veridical.server.identity import Action, Identity
from veridical.server.routes.inbox import decider_of
from veridical.server.services import Services, ServicesDep

router = APIRouter(prefix="/console/inbox")

_LISTED = 50
_MOST_ROWS = 200


@router.get("")
async def waiting(
    request: Request,
    identity: ReadAccess,
    services: ServicesDep,
    every: bool = False,
    before: str | None = None,
) -> Response:
    """What waits, or all; who may not decide sees what their own runs wait for."""
    found = await asyncio.to_thread(
        services.inbox.entries,
        identity.tenant,
        _LISTED,
        before,
        pending=not every,
        asked_by=None if Action.DECIDE in identity.actions else identity.name,
    )
    further = found[-1].id if len(found) == _LISTED else ""
    return page(request, "inbox.html", entries=found, every=every, further=further)


@router.get("/{item}")
async def show(
    request: Request, identity: ReadAccess, services: ServicesDep, item: str
) -> Response:
    """One item."""
    found = await _item(services, identity, item)
    return page(
        request,
        "inbox_item.html",
        item=found,
        results=[_shown(each) for each in found.subject.get(RESULTS) or ()],
        subject=json.dumps(found.subject, ensure_ascii=False, indent=2),
        is_pending=found.status is ItemStatus.PENDING,
        may_decide=decider_of(identity).may_decide or found.asked_by == identity.name,
    )


@router.post("/{item}")
async def decide(
    request: Request, identity: ReadAccess, services: ServicesDep, item: str
) -> Response:
    """Decides, on what this person was shown."""
    fields = await form_of(request)
    found = await _item(services, identity, item)
    ruling = _ruling(fields, found.kind)
    await asyncio.to_thread(services.inbox.decide, item, decider_of(identity), ruling)
    return RedirectResponse(f"/console/inbox/{item}", 303)


def _shown(result: dict[str, Any]) -> dict[str, Any]:
    """A result of a call or of a search, with nothing missing."""
    return {
        "title": str(result.get("tool") or result.get("title") or ""),
        "columns": result.get("columns", ()),
        "rows": result.get("rows", ())[:_MOST_ROWS],
        "snippet": result.get("snippet", ""),
        "reason": result.get("reason", ""),
    }


def _ruling(fields: Form, kind: ItemKind) -> Ruling:
    approved = field(fields, "decision") == "approve"
    choice: dict[str, object] = {}
    if approved and kind is ItemKind.CLARIFICATION:
        choice = {TEXT: field(fields, "text")}
    elif approved and "result" in fields:
        places = [int(each) for each in fields["result"] if each.isdecimal() and len(each) < 5]
        choice = {RESULTS: places}
    return Ruling(approved=approved, choice=choice, evidence_hash=field(fields, "evidenceHash"))


async def _item(services: Services, identity: Identity, item: str) -> InboxItem:
    found = await asyncio.to_thread(services.inbox.item, item, identity.tenant)
    if found is None:
        raise ItemNotFoundError
    if not may_see(decider_of(identity), found):
        raise MayNotSeeError
    return found
