"""Inbox rows in PostgreSQL: each question once, each with at most one final decision."""

import hashlib
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Float,
    Row,
    Select,
    and_,
    cast,
    delete,
    func,
    literal,
    or_,
    select,
    tuple_,
    update,
)
from sqlalchemy.dialects.postgresql import insert

from veridical.contracts.person import Decision, ItemKind, PersonNeeded
from veridical.runs.inbox_item import InboxDeadlines, InboxEntry, InboxItem, ItemStatus
from veridical.runs.state import FINAL
from veridical.store.tables import DECISIONS, INBOX
from veridical.store.tables import RUN_REQUESTS as RUNS
from veridical.trace.event_json import restored, storable

_NOW = func.now()
_NOTHING = timedelta()
_NOT_SHOWN = ("subject", "warn_at", "notified_at")
_NEWEST = INBOX.c.asked_at.desc(), INBOX.c.id.desc()
_NEWER = INBOX.alias("newer")
_REPLACED = (
    select(func.count() > 0)
    .where(
        _NEWER.c.run_id == INBOX.c.run_id,
        _NEWER.c.name == INBOX.c.name,
        _NEWER.c.asked_at > INBOX.c.asked_at,
    )
    .scalar_subquery()
)
_STATUS = select(RUNS.c.status).where(RUNS.c.run_id == INBOX.c.run_id).scalar_subquery()
_ASKED_BY = select(RUNS.c.asked_by).where(RUNS.c.run_id == INBOX.c.run_id).scalar_subquery()
_DECIDED = select(DECISIONS.c.item).where(DECISIONS.c.item == INBOX.c.id).scalar_subquery()
_IN_TIME = INBOX.c.expires_at > _NOW
_AWAITED = and_(_DECIDED.is_(None), _STATUS.not_in(sorted(FINAL)), ~_REPLACED)
"""As sub-queries for each row, not as joins: who takes some rows in the order of an index reads
little more than these, however many there are."""


def item_id(run_id: str, needed: PersonNeeded) -> str:
    """A stable id: the same for the same question of the same run about the same evidence."""
    text = "\0".join((run_id, needed.name, needed.evidence_hash))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def insert_item(
    connection: Connection,
    run_id: str,
    tenant: str,
    needed: PersonNeeded,
    deadlines: InboxDeadlines,
) -> None:
    """Insert the question; an existing one stays as it is, with its remaining time."""
    connection.execute(
        insert(INBOX)
        .values(
            id=item_id(run_id, needed),
            tenant=tenant,
            run_id=run_id,
            name=needed.name,
            kind=needed.kind,
            subject=storable(needed.subject),
            evidence_hash=needed.evidence_hash,
            reversible=needed.reversible,
            auto_approve=deadlines.approves(needed),
            warn_at=_NOW + deadlines.warns(needed.kind),
            expires_at=_NOW + deadlines.ends(needed.kind),
        )
        .on_conflict_do_nothing()
    )


def find_item(connection: Connection, item: str, tenant: str | None) -> InboxItem | None:
    """The item, if this tenant has it; without a tenant, that of any."""
    wanted = _items(INBOX.c.subject).where(INBOX.c.id == item)
    found = connection.execute(_of_tenant(wanted, tenant)).first()
    if found is None:
        return None
    return InboxItem(**_fields(found), subject=restored(found.subject))


def people_of(connection: Connection, run_id: str) -> tuple[str, ...]:
    """The people behind the credential that started a run; empty where they were not recorded."""
    found = connection.scalar(select(RUNS.c.people).where(RUNS.c.run_id == run_id))
    return tuple(found or ())


def people_of_all(connection: Connection, run_ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The people behind the credentials that started these runs."""
    found = connection.execute(
        select(RUNS.c.run_id, RUNS.c.people).where(RUNS.c.run_id.in_(run_ids))
    )
    return {row.run_id: tuple(row.people or ()) for row in found}


def find_entries(
    connection: Connection,
    tenant: str | None,
    limit: int,
    before: str | None,
    *,
    pending: bool,
    asked_by: str | None = None,
) -> tuple[InboxEntry, ...]:
    """Entries, newest first, before an item for paging; of all tenants without a tenant, of all
    people without ``asked_by``."""
    page = _of_tenant(select(INBOX.c.id), tenant).order_by(*_NEWEST).limit(limit)
    if asked_by is not None:
        page = page.where(literal(asked_by) == _ASKED_BY)
    if pending:
        # The sums with nothing keep the planner from the wrong index: by time of asking for what
        # is in time, by time of expiry for the page.
        asked_at = func.min(INBOX.c.asked_at + _NOTHING)
        oldest = _of_tenant(select(asked_at), tenant).where(_IN_TIME).scalar_subquery()
        in_time = INBOX.c.expires_at + _NOTHING > _NOW
        page = page.where(INBOX.c.asked_at >= oldest, in_time, _AWAITED)
    if before is not None:
        last = select(INBOX.c.asked_at, INBOX.c.id).where(INBOX.c.id == before).scalar_subquery()
        page = page.where(tuple_(INBOX.c.asked_at, INBOX.c.id) < last)
    return _entries(connection, connection.scalars(page).all(), *_NEWEST)


def insert_decision(connection: Connection, item: InboxEntry, decision: Decision) -> bool:
    """Store the decision; false when there is one already, or when it is out of time: a person's
    must come before the deadline, the default's after it."""
    is_late = INBOX.c.expires_at <= _NOW
    stored = storable(decision.model_dump(mode="json", by_alias=True))
    timely = select(
        INBOX.c.id,
        INBOX.c.tenant,
        literal(stored, DECISIONS.c.decision.type),
        literal(decision.decided_by),
        literal(decision.automatic),
    ).where(
        INBOX.c.id == item.id,
        INBOX.c.tenant == item.tenant,
        is_late if decision.automatic else ~is_late,
    )
    columns = ["item", "tenant", "decision", "decided_by", "automatic"]
    new = insert(DECISIONS).from_select(columns, timely).on_conflict_do_nothing()
    return connection.execute(new.returning(DECISIONS.c.item)).first() is not None


def delete_decision(connection: Connection, item: str, tenant: str, person: str) -> bool:
    """Take a person's decision back before it is final; false where that can't be done."""
    final_at = cast(DECISIONS.c.decision["finalAt"].astext, Float)
    gone = delete(DECISIONS).where(
        DECISIONS.c.item == item,
        DECISIONS.c.tenant == tenant,
        DECISIONS.c.decided_by == person,
        ~DECISIONS.c.automatic,
        final_at > func.extract("epoch", func.clock_timestamp()),
    )
    return connection.execute(gone.returning(DECISIONS.c.item)).first() is not None


def mark_warned(connection: Connection, limit: int) -> tuple[InboxEntry, ...]:
    """Items that expire soon and have no warning yet; marks them as warned.

    Two workers that look at once share them.
    """
    due = (
        select(INBOX.c.id)
        .where(INBOX.c.warned_at.is_(None), INBOX.c.warn_at <= _NOW, _IN_TIME, _AWAITED)
        .order_by(INBOX.c.expires_at)
        .limit(limit)
        .with_for_update(of=INBOX, skip_locked=True, key_share=True)
    )
    warned = connection.scalars(due).all()
    if warned:
        connection.execute(update(INBOX).where(INBOX.c.id.in_(warned)).values(warned_at=_NOW))
    return _entries(connection, warned, INBOX.c.expires_at)


def mark_notified(connection: Connection) -> tuple[InboxEntry | None, bool]:
    """The item that expires first of those that nobody was notified of, or not since it was time to
    warn; marks it. True if it is the first time."""
    is_urgent = and_(INBOX.c.notified_at < INBOX.c.warn_at, INBOX.c.warn_at <= _NOW)
    due = connection.execute(
        select(INBOX.c.id, INBOX.c.notified_at)
        .where(or_(INBOX.c.notified_at.is_(None), is_urgent), _IN_TIME, _AWAITED)
        .order_by(INBOX.c.expires_at)
        .limit(1)
        .with_for_update(of=INBOX, skip_locked=True, key_share=True)
    ).first()
    if due is None:
        return None, False
    connection.execute(update(INBOX).where(INBOX.c.id == due.id).values(notified_at=_NOW))
    found = _entries(connection, [due.id], INBOX.c.expires_at)
    return found[0], due.notified_at is None


def _entries(
    connection: Connection, items: Sequence[str], *order: ColumnElement[Any]
) -> tuple[InboxEntry, ...]:
    if not items:
        return ()
    rows = connection.execute(_items().where(INBOX.c.id.in_(items)).order_by(*order))
    return tuple(InboxEntry(**_fields(row)) for row in rows)


def _items(*more: ColumnElement[Any]) -> Select[*tuple[Any, ...]]:
    columns = [column for column in INBOX.c if column.name not in _NOT_SHOWN]
    return (
        select(
            *columns,
            *more,
            INBOX.c.subject["question"].astext.label("question"),
            RUNS.c.asked_by,
            RUNS.c.status.in_(sorted(FINAL)).label("is_over"),
            (INBOX.c.expires_at <= _NOW).label("is_late"),
            _REPLACED.label("is_replaced"),
            DECISIONS.c.decision,
        )
        .join(RUNS, RUNS.c.run_id == INBOX.c.run_id)
        .outerjoin(DECISIONS, DECISIONS.c.item == INBOX.c.id)
    )


def _of_tenant(wanted: Select[*tuple[Any, ...]], tenant: str | None) -> Select[*tuple[Any, ...]]:
    return wanted if tenant is None else wanted.where(INBOX.c.tenant == tenant)


def _fields(row: Row[Any]) -> dict[str, Any]:
    decision = row.decision and Decision.model_validate(restored(row.decision))
    return {
        "id": row.id,
        "tenant": row.tenant,
        "run_id": row.run_id,
        "name": row.name,
        "kind": ItemKind(row.kind),
        "status": _status(row),
        "question": restored(row.question or ""),
        "asked_by": row.asked_by,
        "evidence_hash": row.evidence_hash,
        "reversible": row.reversible,
        "auto_approve": row.auto_approve,
        "asked_at": row.asked_at,
        "warned_at": row.warned_at,
        "expires_at": row.expires_at,
        "decision": decision,
    }


def _status(row: Row[Any]) -> ItemStatus:
    if row.decision is not None:
        return ItemStatus.DECIDED
    if row.is_over:
        return ItemStatus.NOT_AWAITED
    if row.is_replaced:
        return ItemStatus.REPLACED
    return ItemStatus.EXPIRED if row.is_late else ItemStatus.PENDING
