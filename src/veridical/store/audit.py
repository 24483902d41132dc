"""The audit log: who did what to what. Append-only: entries are never changed."""

from collections.abc import Mapping
from contextvars import ContextVar
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import CTE, Connection, Insert, insert, literal, select

from veridical.contracts.step import Json
from veridical.contracts.wire import Wire
from veridical.store.tables import AUDIT
from veridical.trace.event_json import restored, storable
from veridical.trace.redact import redact_json

BY_KEY: ContextVar[str] = ContextVar("veridical_key", default="")
"""The id of the API key of the actor: it goes into every entry, since several keys may have the
same name; none for an actor with a token, and for the operator."""


class AuditAction(StrEnum):
    """Audited actions."""

    KEY_CREATED = "key.created"
    KEY_REVOKED = "key.revoked"
    TENANT_CREATED = "tenant.created"
    TENANT_CHANGED = "tenant.changed"
    RUN_STARTED = "run.started"
    RUN_CANCELLED = "run.cancelled"
    DECIDED = "inbox.decided"
    UNDONE = "inbox.undone"
    SESSIONS_ENDED = "sessions.ended"
    KEYS_READ = "keys.read"
    AUDIT_READ = "audit.read"
    FALSE_BLOCK_REPORTED = "falseBlock.reported"
    FALSE_BLOCKS_READ = "falseBlocks.read"
    FALSE_BLOCK_REVIEWED = "falseBlock.reviewed"
    FEEDBACK_DECIDED = "feedback.decided"
    QUESTION_CERTIFIED = "question.certified"
    QUESTION_DISMISSED = "question.dismissed"
    QUESTION_REOPENED = "question.reopened"
    QUESTION_RENAMED = "question.renamed"
    ANSWER_SHARED = "answer.shared"
    SHARE_REVOKED = "share.revoked"
    PROPOSAL_DECIDED = "ontology.decided"
    ONTOLOGY_CHANGED = "ontology.changed"
    DATA_CONNECTED = "data.connected"
    DATA_REMOVED = "data.removed"
    MODEL_TESTED = "model.tested"
    MODEL_SWITCHED = "model.switched"
    REFUSED = "auth.refused"
    """a request without a valid identity"""


class AuditEntry(Wire):
    """One entry of the audit log."""

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
    """Record an action in the transaction that performs it. Secrets are removed."""
    # The new number is not returned: entries without a tenant can't be read with these rights.
    connection.execute(
        insert(AUDIT).inline().values(_entry(tenant, actor, action, subject, detail))
    )


def noting(
    done: CTE,
    tenant: str,
    actor: str,
    action: AuditAction,
    subject: str,
    detail: Mapping[str, Any] | None = None,
) -> Insert:
    """Execute a statement that returns a row if it took effect, and audit it, in one statement.

    Its ``rowcount`` is above 0 if it took effect.
    """
    entry = _entry(tenant, actor, action, subject, detail)
    values = select(*(literal(value, AUDIT.c[name].type) for name, value in entry.items()))
    added = insert(AUDIT).inline().from_select([*entry], values.select_from(done)).add_cte(done)
    return added.execution_options(preserve_rowcount=True)


def entries(
    connection: Connection, limit: int = 50, before: int | None = None
) -> tuple[AuditEntry, ...]:
    """The latest entries that the transaction may see, before this number."""
    newest = select(AUDIT).order_by(AUDIT.c.id.desc()).limit(limit)
    if before is not None:
        newest = newest.where(AUDIT.c.id < before)
    rows = connection.execute(newest).mappings()
    return tuple(AuditEntry.model_validate(_restored(dict(row))) for row in rows)


def _entry(
    tenant: str,
    actor: str,
    action: AuditAction,
    subject: str,
    detail: Mapping[str, Any] | None,
) -> dict[str, Any]:
    return {
        "tenant": tenant,
        "actor": _kept(actor),
        "action": action,
        "subject": _kept(subject),
        "detail": _kept({**(detail or {}), **_credential()}),
    }


def _credential() -> dict[str, str]:
    key = BY_KEY.get()
    return {"keyId": key} if key else {}


def _kept(value: Json) -> Json:
    return storable(redact_json(value))


def _restored(row: dict[Any, Any]) -> dict[str, Any]:
    return {**row, **{name: restored(row[name]) for name in ("actor", "subject", "detail")}}
