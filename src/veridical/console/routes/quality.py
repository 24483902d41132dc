"""``/console/quality``: outcomes and interceptions over time, and what each rule catches."""

import asyncio

from fastapi import APIRouter, Request, Response

from veridical.console import quality
from veridical.console.page import page
from veridical.console.quality import DAYS, Quality, quality_of
from veridical.console.routes.runs import OUTCOMES
from veridical.server.auth import AdminAccess
from veridical.server.identity import Identity
from veridical.server.services import Services, ServicesDep

router = APIRouter(prefix="/console/quality")


@router.get("")
async def show(request: Request, identity: AdminAccess, services: ServicesDep) -> Response:
    """The last weeks of the reader's tenant."""
    found = await asyncio.to_thread(_read, services, identity)
    return page(
        request,
        "quality.html",
        quality=found,
        kinds=frozenset(OUTCOMES),
        drawing=quality,
        period=DAYS,
    )


def _read(services: Services, identity: Identity) -> Quality:
    with services.store.tenant(identity.tenant) as connection:
        return quality_of(connection, identity.tenant)
