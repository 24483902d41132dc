"""``/console/inbox``: items that wait for a person, exactly as shown, and their decision."""

import asyncio
import json
from datetime import UTC, datetime
from typing import Any

from fastapi import APIRouter, Request, Response
from starlette.responses import RedirectResponse

from veridical.console.clarification import answer_in, clarification_of
from veridical.console.form import Form, field, form_of
from veridical.console.found_evidence import coverage_view, found_evidence
from veridical.console.page import language_of, page
from veridical.console.result_table import shown_rows
from veridical.contracts.language import Language
from veridical.contracts.person import RESULTS, SELECTED, ItemKind
from veridical.runs.inbox_item import LONGEST_REASON, UNDO_SECONDS, InboxItem, ItemStatus, Ruling
from veridical.server.auth import ReadAccess
from veridical.server.identity import Identity
from veridical.server.routes.inbox import decider_of, entries_for, item_for
from veridical.server.services import ServicesDep

router = APIRouter(prefix="/console/inbox")

_LISTED = 50
_MOST_ROWS = 200
_DECISIONS = frozenset({"approve", "deny"})


@router.get("")
async def waiting(
    request: Request,
    identity: ReadAccess,
    services: ServicesDep,
    every: bool = False,
    before: str | None = None,
) -> Response:
    """The pending items, or all; without the right to decide, only those of one's own runs."""
    found = await entries_for(services, identity, _LISTED, before, everything=every)
    further = found[-1].id if len(found) == _LISTED else ""
    return page(request, "inbox.html", entries=found, every=every, further=further)


@router.get("/{item}")
async def show(
    request: Request, identity: ReadAccess, services: ServicesDep, item: str
) -> Response:
    """One item."""
    found = await item_for(services, identity, item)
    return page(
        request,
        "inbox_item.html",
        item=found,
        clarification=clarification_of(found, identity),
        results=[_shown(each, language_of(request)) for each in found.subject.get(RESULTS) or ()],
        coverage=coverage_view(found.subject),
        subject=json.dumps(found.subject, ensure_ascii=False, indent=2),
        is_pending=found.status is ItemStatus.PENDING,
        undo_until=_undo_until(found, identity),
        may_decide=decider_of(identity).may_decide or found.asked_by == identity.name,
        may_approve=await asyncio.to_thread(
            services.inbox.may_approve, found, decider_of(identity)
        ),
    )


@router.post("/{item}")
async def decide(
    request: Request, identity: ReadAccess, services: ServicesDep, item: str
) -> Response:
    """Decides on the item as this person was shown it."""
    fields = await form_of(request)
    found = await item_for(services, identity, item)
    ruling = _ruling(fields, found.kind)
    decider = decider_of(identity)
    if field(fields, "decision") == "undo":
        await asyncio.to_thread(services.inbox.undo, item, decider)
    elif ruling is not None:
        is_approval = found.kind is not ItemKind.CLARIFICATION
        wait = UNDO_SECONDS if is_approval else 0.0
        await asyncio.to_thread(services.inbox.decide, item, decider, ruling, wait)
    return RedirectResponse(f"/console/inbox/{item}", 303)


def _undo_until(item: InboxItem, identity: Identity) -> datetime | None:
    """Until when this person may take their decision back; none where that is over."""
    made = item.decision
    if made is None or made.final_at is None or made.decided_by != identity.name:
        return None
    until = datetime.fromtimestamp(made.at + UNDO_SECONDS, UTC)
    return until if until > datetime.now(UTC) else None


def _shown(result: dict[str, Any], language: Language) -> dict[str, Any]:
    """A result of a call or of a search, with nothing missing."""
    return {
        "title": str(result.get("tool") or result.get("title") or ""),
        "columns": result.get("columns", ()),
        "rows": shown_rows(result.get("rows", ())[:_MOST_ROWS], language),
        "snippet": result.get("snippet", ""),
        "found": found_evidence(result) if "candidateId" in result else None,
        "is_selected": result.get(SELECTED, True),
    }


def _ruling(fields: Form, kind: ItemKind) -> Ruling | None:
    """The decision in the form; none where neither button was pressed."""
    if kind is ItemKind.CLARIFICATION:
        return answer_in(fields)
    if field(fields, "decision") not in _DECISIONS:
        return None
    approved = field(fields, "decision") == "approve"
    choice: dict[str, object] = {}
    if approved and "result" in fields:
        places = [int(each) for each in fields["result"] if each.isdecimal() and len(each) < 5]
        choice = {RESULTS: places}
    return Ruling(
        approved=approved,
        choice=choice,
        evidence_hash=field(fields, "evidenceHash"),
        reason=field(fields, "reason", LONGEST_REASON),
    )
