"""Sessions of browsers: a row for each, so that one that has ended is over for every server and for
every copy of its cookie."""

import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Connection, func, insert, select, update

from veridical.contracts.wire import Wire
from veridical.server.identity import Identity
from veridical.store.audit import AuditAction, note
from veridical.store.tables import SESSIONS

_IS_OPEN = SESSIONS.c.ended_at.is_(None) & (SESSIONS.c.expires_at > func.now())
_SHOWN = (
    SESSIONS.c.id,
    SESSIONS.c.person,
    SESSIONS.c.key_id,
    SESSIONS.c.created_at,
    SESSIONS.c.expires_at,
)


class SessionInfo(Wire):
    """A browser in which somebody is signed in."""

    id: str
    person: str
    key_id: str | None
    """None for who signed in with the identity provider."""
    created_at: datetime
    expires_at: datetime


def begin_session(connection: Connection, identity: Identity, seconds: float) -> str:
    """Record that this person signs in; the session's id."""
    session_id = secrets.token_hex(16)
    connection.execute(
        insert(SESSIONS).values(
            id=session_id,
            tenant=identity.tenant,
            person=identity.person,
            key_id=identity.key_id,
            expires_at=func.now() + timedelta(seconds=seconds),
        )
    )
    return session_id


def ended_sessions(connection: Connection, session_ids: Iterable[str]) -> frozenset[str]:
    """The ids of ended and unknown sessions among these."""
    wanted = frozenset(session_ids)
    valid = select(SESSIONS.c.id).where(SESSIONS.c.id.in_(wanted), _IS_OPEN)
    return wanted - frozenset(connection.scalars(valid))


def open_sessions(
    connection: Connection, tenant: str, person: str | None = None
) -> tuple[SessionInfo, ...]:
    """Open sessions of one person or of the whole tenant, newest first."""
    found = select(*_SHOWN).where(SESSIONS.c.tenant == tenant, _IS_OPEN)
    if person is not None:
        found = found.where(SESSIONS.c.person == person)
    rows = connection.execute(found.order_by(SESSIONS.c.created_at.desc(), SESSIONS.c.id))
    return tuple(SessionInfo.model_validate(dict(row)) for row in rows.mappings())


def end_session(connection: Connection, identity: Identity) -> None:
    """Sign out of the browser that this request came from."""
    if _end(connection, SESSIONS.c.id == identity.session_id):
        _noted(connection, identity.tenant, identity.person, identity.name, 1)


def end_sessions_of(connection: Connection, tenant: str, person: str, *, actor: str) -> int:
    """Sign a person out everywhere; returns the number of ended sessions."""
    ended = _end(connection, (SESSIONS.c.tenant == tenant) & (SESSIONS.c.person == person))
    if ended:
        _noted(connection, tenant, person, actor, ended)
    return ended


def end_sessions_of_key(connection: Connection, key_id: str) -> None:
    """End the sessions of a revoked key; the audit has the revocation."""
    _end(connection, SESSIONS.c.key_id == key_id)


def _end(connection: Connection, which: ColumnElement[bool]) -> int:
    ended = update(SESSIONS).where(which, _IS_OPEN).values(ended_at=func.now())
    return connection.execute(ended).rowcount


def _noted(connection: Connection, tenant: str, person: str, actor: str, ended: int) -> None:
    note(connection, tenant, actor, AuditAction.SESSIONS_ENDED, person, {"sessions": ended})
