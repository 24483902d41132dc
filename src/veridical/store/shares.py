"""Links to answers: each for some days, and until it is revoked."""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, func, insert, select, update

from veridical.store.audit import AuditAction, note
from veridical.store.tables import SHARES
from veridical.trace.event_json import restored, storable
from veridical.trace.redact import redact_text

_ID_BYTES = 16
_LONGEST_TITLE = 200


@dataclass(frozen=True, slots=True)
class Share:
    """A link to the answer of one run."""

    id: str
    trace_id: str
    person: str
    """Who made it."""
    title: str
    """The question."""
    created_at: datetime
    expires_at: datetime
    is_open: bool
    """False once it has expired or was revoked."""


_IS_OPEN = (SHARES.c.revoked_at.is_(None) & (SHARES.c.expires_at > func.now())).label("is_open")
_COLUMNS = (*(SHARES.c[name] for name in Share.__slots__ if name != "is_open"), _IS_OPEN)


def make_share(
    connection: Connection, tenant: str, person: str, trace_id: str, title: str, days: int
) -> str:
    """A new link to the answer of this run, with its entry in the audit log; returns its id."""
    made = secrets.token_urlsafe(_ID_BYTES)
    values = {
        "id": made,
        "tenant": tenant,
        "trace_id": storable(trace_id),
        "person": storable(person),
        "title": storable(redact_text(title))[:_LONGEST_TITLE],
        "expires_at": func.now() + timedelta(days=days),
    }
    connection.execute(insert(SHARES).values(values))
    note(connection, tenant, person, AuditAction.ANSWER_SHARED, trace_id, {"days": days})
    return made


def find_share(connection: Connection, share_id: str) -> Share | None:
    """One of them, if the transaction may see it."""
    found = select(*_COLUMNS).where(SHARES.c.id == storable(share_id))
    row = connection.execute(found).one_or_none()
    return None if row is None else _share(row)


def open_shares(
    connection: Connection, tenant: str, person: str | None, limit: int
) -> tuple[Share, ...]:
    """The links of this person that lead somewhere, or of all people, the latest first."""
    found = select(*_COLUMNS).where(SHARES.c.tenant == tenant, _IS_OPEN.element)
    if person is not None:
        found = found.where(SHARES.c.person == storable(person))
    found = found.order_by(SHARES.c.created_at.desc()).limit(limit)
    return tuple(map(_share, connection.execute(found)))


def revoke_share(connection: Connection, tenant: str, by: str, share: Share) -> None:
    """Ends the link at once, with its entry in the audit log."""
    ended = (
        update(SHARES)
        .where(SHARES.c.id == share.id, SHARES.c.tenant == tenant, SHARES.c.revoked_at.is_(None))
        .values(revoked_at=func.now())
    )
    if connection.execute(ended).rowcount:
        note(connection, tenant, by, AuditAction.SHARE_REVOKED, share.trace_id)


def _share(row: Row[Any]) -> Share:
    values = {name: getattr(row, name) for name in Share.__slots__}
    texts = {name: restored(values[name]) for name in ("trace_id", "person", "title")}
    return Share(**{**values, **texts})
