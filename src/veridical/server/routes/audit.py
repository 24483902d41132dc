"""``GET /v1/audit``: the audit log of the caller's tenant."""

from fastapi import APIRouter

from veridical.contracts.wire import Wire
from veridical.server.audit import read_audit
from veridical.server.auth import AdminAccess
from veridical.server.openapi import problems
from veridical.server.parameters import LAST_NUMBER, BeforeNumber, Limit
from veridical.server.services import ServicesDep
from veridical.store.audit import AuditEntry

router = APIRouter(prefix="/v1/audit", tags=["administration"])


class AuditPage(Wire):
    """Some entries, the newest first."""

    entries: tuple[AuditEntry, ...]
    next_before: int | None = None
    """Cursor of the next page; None on the last one."""


@router.get("", summary="Read the audit", responses=problems())
async def read(
    identity: AdminAccess,
    services: ServicesDep,
    limit: Limit = 50,
    before: BeforeNumber = LAST_NUMBER,
) -> AuditPage:
    """Reading it is recorded as an entry too."""
    found = await read_audit(services.store, identity, limit, before)
    return AuditPage(entries=found, next_before=found[-1].id if len(found) == limit else None)
