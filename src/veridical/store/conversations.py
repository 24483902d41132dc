"""Conversations: kept for the person who has them, and seen by nobody else."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Select,
    delete,
    func,
    insert,
    select,
    text,
    update,
)

from veridical.store.tables import CONVERSATIONS
from veridical.trace.event_json import restored, storable
from veridical.trace.redact import redact_text

LONGEST_TITLE = 120
_ID_BYTES = 9
_ASKS_ABOUT = text("""
    EXISTS (SELECT FROM veridical.events AS e
            WHERE e.trace_id = ANY(conversations.thread) AND e.sequence = 0
              AND e.event -> 'question' ->> 'text' ILIKE :search ESCAPE '!')
""")


@dataclass(frozen=True, slots=True)
class Owner:
    """The person whose conversations they are."""

    tenant: str
    person: str


@dataclass(frozen=True, slots=True)
class SavedConversation:
    """One conversation."""

    id: str
    title: str
    feature: str
    thread: tuple[str, ...]
    """The runs of its turns."""
    pinned: bool
    used_at: datetime


def begin_conversation(
    connection: Connection, owner: Owner, feature: str, title: str, thread: Sequence[str]
) -> str:
    """Keeps a new conversation, named after its first question; its id."""
    made = secrets.token_urlsafe(_ID_BYTES)
    connection.execute(
        insert(CONVERSATIONS).values(
            id=made,
            tenant=owner.tenant,
            person=owner.person,
            title=_title(title),
            feature=feature,
            thread=list(thread),
        )
    )
    return made


def extend_conversation(
    connection: Connection, owner: Owner, conversation: str, trace_id: str
) -> bool:
    """Adds a turn; false where this person has no such conversation."""
    thread = func.array_append(CONVERSATIONS.c.thread, storable(trace_id))
    return _changed(connection, owner, conversation, thread=thread, used_at=func.now())


def find_conversation(
    connection: Connection, owner: Owner, conversation: str
) -> SavedConversation | None:
    """The conversation, if it is this person's."""
    found = _of(owner).where(CONVERSATIONS.c.id == storable(conversation))
    row = connection.execute(found).one_or_none()
    return None if row is None else _saved(row)


def list_conversations(
    connection: Connection, owner: Owner, limit: int, search: str = ""
) -> tuple[SavedConversation, ...]:
    """A person's conversations, pinned ones first, then the latest; with these words in the title
    or a question."""
    found = _of(owner)
    if search:
        pattern = "%" + "".join(f"!{c}" if c in "!%_" else c for c in storable(search)) + "%"
        named = CONVERSATIONS.c.title.ilike(pattern, escape="!")
        found = found.where(named | _ASKS_ABOUT.bindparams(search=pattern))
    order = (CONVERSATIONS.c.pinned.desc(), CONVERSATIONS.c.used_at.desc(), CONVERSATIONS.c.id)
    return tuple(map(_saved, connection.execute(found.order_by(*order).limit(limit))))


def rename_conversation(
    connection: Connection, owner: Owner, conversation: str, title: str
) -> bool:
    """Gives it another title; false where there is none, or it is not theirs."""
    return bool(title) and _changed(connection, owner, conversation, title=_title(title))


def pin_conversation(
    connection: Connection, owner: Owner, conversation: str, *, pinned: bool
) -> bool:
    """Pins or unpins it; false where it is not theirs."""
    return _changed(connection, owner, conversation, pinned=pinned)


def delete_conversation(connection: Connection, owner: Owner, conversation: str) -> bool:
    """Deletes it; its runs stay for as long as runs are kept. False where it is not theirs."""
    gone = delete(CONVERSATIONS).where(*_theirs(owner, conversation))
    return connection.execute(gone).rowcount > 0


def _of(owner: Owner) -> Select[*tuple[Any, ...]]:
    columns = ("id", "title", "feature", "thread", "pinned", "used_at")
    found = select(*(CONVERSATIONS.c[name] for name in columns))
    return found.where(
        CONVERSATIONS.c.tenant == owner.tenant, CONVERSATIONS.c.person == owner.person
    )


def _theirs(owner: Owner, conversation: str) -> tuple[ColumnElement[bool], ...]:
    return (
        CONVERSATIONS.c.id == storable(conversation),
        CONVERSATIONS.c.tenant == owner.tenant,
        CONVERSATIONS.c.person == owner.person,
    )


def _changed(connection: Connection, owner: Owner, conversation: str, **values: object) -> bool:
    changed = update(CONVERSATIONS).where(*_theirs(owner, conversation)).values(**values)
    return connection.execute(changed).rowcount > 0


def _title(question: str) -> str:
    line = " ".join(redact_text(question).split())
    return storable(line if len(line) <= LONGEST_TITLE else f"{line[: LONGEST_TITLE - 1]}…")


def _saved(row: Row[Any]) -> SavedConversation:
    return SavedConversation(
        row.id, restored(row.title), row.feature, tuple(row.thread), row.pinned, row.used_at
    )
