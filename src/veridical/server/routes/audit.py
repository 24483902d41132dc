"""``GET /v1/audit``: the audit log of the caller's tenant."""

from typing import Annotated

from fastapi import APIRouter, Query

from veridical.contracts.wire import Wire
from veridical.server.audit import read_audit
from veridical.server.authorization import AdminAccess
from veridical.server.openapi_responses import problems
from veridical.server.parameters import Limit
from veridical.server.services import ServicesDep
from veridical.store.audit import AuditEntry

router = APIRouter(prefix="/v1/audit", tags=["administration"])

_LAST = 2**63 - 1
Before = Annotated[
    int,
    Query(ge=1, le=_LAST, description="The last id of the page before; those after it follow."),
]


class AuditPage(Wire):
    """Some entries, the newest first."""

    entries: tuple[AuditEntry, ...]
    next_before: int | None = None
    """For the next page; none on the last one."""


@router.get("", summary="Read the audit", responses=problems())
async def read(
    identity: AdminAccess, services: ServicesDep, limit: Limit = 50, before: Before = _LAST
) -> AuditPage:
    """That it was read is an entry too."""
    found = await read_audit(services.store, identity, limit, before)
    return AuditPage(entries=found, next_before=found[-1].id if len(found) == limit else None)
