"""The audit: who did what to what. It can be added to and read; nothing in it ever changes."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, insert, select

from veridical.contracts.wire import Wire
from veridical.store.tables import AUDIT
from veridical.trace.redact import redact_json


class AuditAction(StrEnum):
    """What is worth remembering."""

    KEY_CREATED = "key.created"
    KEY_REVOKED = "key.revoked"
    TENANT_CREATED = "tenant.created"
    TENANT_CHANGED = "tenant.changed"
    RUN_STARTED = "run.started"
    RUN_CANCELLED = "run.cancelled"
    DECIDED = "inbox.decided"
    KEYS_READ = "keys.read"
    AUDIT_READ = "audit.read"
    REFUSED = "auth.refused"
    """somebody could not be identified"""


class AuditEntry(Wire):
    """One line of the audit."""

    id: int
    at: datetime
    tenant: str
    actor: str
    action: str
    subject: str
    detail: dict[str, Any]


def note(
    connection: Connection,
    tenant: str,
    actor: str,
    action: AuditAction,
    subject: str,
    detail: Mapping[str, Any] | None = None,
) -> None:
    """Write down, in the transaction that does it, who does what. Secrets are taken out."""
    # The new number is not asked for: what is noted under no tenant, nobody here may read.
    connection.execute(
        insert(AUDIT)
        .inline()
        .values(
            tenant=tenant,
            actor=redact_json(actor),
            action=action,
            subject=redact_json(subject),
            detail=redact_json(dict(detail or {})),
        )
    )


def entries(
    connection: Connection, limit: int = 50, before: int | None = None
) -> tuple[AuditEntry, ...]:
    """The newest entries that the transaction may see, those before this number."""
    newest = select(AUDIT).order_by(AUDIT.c.id.desc()).limit(limit)
    if before is not None:
        newest = newest.where(AUDIT.c.id < before)
    rows = connection.execute(newest).mappings()
    return tuple(AuditEntry.model_validate(dict(row)) for row in rows)
