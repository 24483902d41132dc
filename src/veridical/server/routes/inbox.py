"""``/v1/inbox``: pending approvals and clarifications, and decisions on them."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Body, Query
from pydantic import Field

from veridical.contracts.person import Decision
from veridical.contracts.wire import Wire
from veridical.runs.errors import ItemNotFoundError, MayNotSeeError
from veridical.runs.inbox_item import (
    LONGEST_REASON,
    Decider,
    InboxEntry,
    InboxItem,
    Ruling,
    may_see,
)
from veridical.server.auth import ReadAccess
from veridical.server.body_types import Text
from veridical.server.identity import Action, Identity
from veridical.server.openapi import examples, problems
from veridical.server.parameters import Before, Identifier, Limit
from veridical.server.services import Services, ServicesDep

router = APIRouter(prefix="/v1/inbox", tags=["inbox"])

_MOST_RESULTS = 1_000
Everything = Annotated[
    bool, Query(alias="all", description="Also what is decided, expired or not awaited any more.")
]
ResultPosition = Annotated[int, Field(ge=0, le=_MOST_RESULTS)]


class InboxPage(Wire):
    """Some items, the newest first."""

    items: tuple[InboxEntry, ...]
    next_before: str | None = None
    """Cursor of the next page; None on the last one."""


class Choice(Wire):
    """The approved part, where not everything is approved."""

    results: Annotated[tuple[ResultPosition, ...], Field(max_length=_MOST_RESULTS)] | None = None
    """For evidence: positions of the approved results."""
    text: Text | None = None
    """For a clarification: the reply."""


class DecisionRequest(Wire):
    """A person's decision on the item they were shown."""

    approved: bool
    choice: Choice = Choice()
    evidence_hash: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    """Hash of the item as shown: another one means that the evidence has changed."""
    reason: Annotated[str, Field(max_length=LONGEST_REASON)] = ""
    """Why; shown to the person who asked, and kept in the audit."""

    def as_ruling(self) -> Ruling:
        """The decision as the inbox takes it."""
        choice = self.choice.model_dump(mode="json", exclude_none=True)
        return Ruling(
            approved=self.approved,
            choice=choice,
            evidence_hash=self.evidence_hash,
            reason=self.reason.replace("\x00", "").strip(),
        )


Decided = Annotated[DecisionRequest, Body(openapi_examples=examples("inbox"))]


@router.get("", summary="List what waits", responses=problems())
async def waiting(
    identity: ReadAccess,
    services: ServicesDep,
    limit: Limit = 20,
    before: Before = None,
    everything: Everything = False,
) -> InboxPage:
    """Without what is shown. Who may decide sees what all runs of the tenant wait for; everybody
    else, what their own runs do."""
    found = await entries_for(services, identity, limit, before, everything=everything)
    return InboxPage(items=found, next_before=found[-1].id if len(found) == limit else None)


@router.get("/{id}", summary="Show an item", responses=problems(404))
async def show(item: Identifier, identity: ReadAccess, services: ServicesDep) -> InboxItem:
    """All that a person is shown, and the hash that their decision must carry. For people who may
    decide, and for the person who started the run."""
    return await item_for(services, identity, item)


@router.post("/{id}/decision", summary="Decide", responses=problems(404, 409, body=True))
async def decide(
    item: Identifier, decided: Decided, identity: ReadAccess, services: ServicesDep
) -> Decision:
    """Counts once, and lets the run go on. Approvers decide, but not on their own requests;
    the person who started the run may give clarifications."""
    decider = decider_of(identity)
    return await asyncio.to_thread(services.inbox.decide, item, decider, decided.as_ruling())


async def entries_for(
    services: Services, identity: Identity, limit: int, before: str | None, *, everything: bool
) -> tuple[InboxEntry, ...]:
    """The newest of what this identity may see: what waits, or everything."""
    return await asyncio.to_thread(
        services.inbox.entries,
        identity.tenant,
        limit,
        before,
        pending=not everything,
        asked_by=None if Action.DECIDE in identity.actions else identity.name,
    )


async def item_for(services: Services, identity: Identity, item: str) -> InboxItem:
    """The item as this identity may see it. Raises ``ItemNotFoundError`` and
    ``MayNotSeeError``."""
    found = await asyncio.to_thread(services.inbox.item, item, identity.tenant)
    if found is None:
        raise ItemNotFoundError
    if not may_see(decider_of(identity), found):
        raise MayNotSeeError
    return found


def decider_of(identity: Identity) -> Decider:
    """This identity as the inbox knows people."""
    return Decider(
        tenant=identity.tenant,
        name=identity.name,
        may_decide=Action.DECIDE in identity.actions,
        may_ask=Action.ASK in identity.actions,
        people=identity.people,
    )
