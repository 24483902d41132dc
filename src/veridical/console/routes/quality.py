"""``/console/quality``: outcomes and interceptions over time, and what each rule catches."""

import asyncio

from fastapi import APIRouter, Request, Response

from veridical.console import day_bars
from veridical.console.maintenance import is_maintainer
from veridical.console.page import page
from veridical.console.quality import DAYS, Quality, quality_of
from veridical.console.routes.runs import OUTCOMES
from veridical.server.auth import AdminAccess
from veridical.server.identity import Identity
from veridical.server.services import Services, ServicesDep
from veridical.store.false_block_reviews import undecided_count

router = APIRouter(prefix="/console/quality")


@router.get("")
async def show(request: Request, identity: AdminAccess, services: ServicesDep) -> Response:
    """The last weeks of the reader's tenant."""
    found, waiting = await asyncio.to_thread(_read, services, identity)
    return page(
        request,
        "quality.html",
        quality=found,
        waiting=waiting,
        kinds=frozenset(OUTCOMES),
        drawing=day_bars,
        period=DAYS,
        maintains=is_maintainer(services, identity),
    )


def _read(services: Services, identity: Identity) -> tuple[Quality, int]:
    with services.store.tenant(identity.tenant) as connection:
        return quality_of(connection, identity.tenant), undecided_count(connection)
