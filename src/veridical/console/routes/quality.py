"""``/console/quality``: outcomes over time, what each rule catches, and reports of wrong blocks."""

import asyncio

from fastapi import APIRouter, Request, Response

from veridical.console.page import page
from veridical.console.quality import Quality, quality_of
from veridical.contracts.answer import AnswerKind
from veridical.server.authorization import AdminAccess
from veridical.server.identity import Identity
from veridical.server.services import Services, ServicesDep
from veridical.store.audit import AuditAction, note
from veridical.store.false_blocks import FalseBlockReport, reports

router = APIRouter(prefix="/console/quality")

_LISTED = 50
WIDTH, HEIGHT = 600, 120


@router.get("")
async def show(request: Request, identity: AdminAccess, services: ServicesDep) -> Response:
    """The last weeks of the reader's tenant."""
    found, reported = await asyncio.to_thread(_read, services, identity)
    return page(
        request,
        "quality.html",
        quality=found,
        reports=reported,
        kinds=frozenset(AnswerKind),
        width=WIDTH,
        height=HEIGHT,
        step=WIDTH / max(len(found.days), 1),
    )


def _read(services: Services, identity: Identity) -> tuple[Quality, tuple[FalseBlockReport, ...]]:
    tenant = identity.tenant
    with services.store.tenant(tenant) as connection:
        note(connection, tenant, identity.name, AuditAction.FALSE_BLOCKS_READ, tenant)
        return quality_of(connection, tenant), reports(connection, _LISTED)
