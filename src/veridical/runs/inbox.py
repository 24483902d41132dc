"""The inbox: pending questions to people, who may decide them, and the default after the deadline.

A question is stored once for each evidence, a decision once for each question. Time is the
database's: two machines never differ about whether it is over.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence

from sqlalchemy import Connection

from veridical.contracts.person import AskPerson, Decision, PersonNeeded, Waiting, unanswered
from veridical.runs.continuation import wake
from veridical.runs.errors import (
    AlreadyDecidedError,
    EvidenceChangedError,
    ItemNotFoundError,
    MayNotDecideError,
    NotAwaitedError,
    TimeIsOverError,
    TooLateToUndoError,
)
from veridical.runs.inbox_item import (
    DEFAULT_DEADLINES,
    Decider,
    InboxDeadlines,
    InboxEntry,
    InboxItem,
    ItemStatus,
    Ruling,
    require_entitled,
    require_fitting,
)
from veridical.runs.inbox_rows import (
    delete_decision,
    find_entries,
    find_item,
    insert_decision,
    insert_item,
    item_id,
    mark_warned,
    people_of,
    people_of_all,
)
from veridical.runs.request import RunSegment
from veridical.runs.rows import database_time
from veridical.store.audit import AuditAction, note
from veridical.store.connection import Store

_APPROVAL = Ruling(approved=True, evidence_hash="")
MOST_COUNTED = 100
"""Entries that are counted for one person."""
MOST_WARNED = 500
"""Warnings in one transaction."""

_SETTLING = 1.0
"""Seconds after which nobody who was in time to undo a decision can still be at it."""

Wake = Callable[[Connection, str, float], None]
"""Resumes a waiting run after some seconds, within the transaction of the decision."""
Tell = Callable[[InboxEntry], None]
"""Passes a warning on to those who may decide."""

_log = logging.getLogger("veridical.inbox")


def log_warning(entry: InboxEntry) -> None:
    """Write a warning to the log."""
    then = "approved as it is" if entry.auto_approve else "denied"
    _log.warning(
        "%s of run %s (tenant %s) is %s at %s unless somebody decides",
        entry.kind, entry.run_id, entry.tenant, then, entry.expires_at.isoformat(),
    )  # fmt: skip


class Inbox:
    """The inbox of all tenants; each sees its own."""

    def __init__(
        self, store: Store, deadlines: InboxDeadlines = DEFAULT_DEADLINES, wake_run: Wake = wake
    ) -> None:
        self._store = store
        self._deadlines = deadlines
        self._wake = wake_run

    def ask_for(self, segment: RunSegment) -> AskPerson:
        """The function with which a segment asks people: it returns the decision or raises
        ``Waiting``."""

        async def ask(needed: PersonNeeded) -> Decision:
            return await asyncio.to_thread(self.settled, segment.run_id, segment.tenant, needed)

        return ask

    def settled(self, run_id: str, tenant: str, needed: PersonNeeded) -> Decision:
        """The decision on a run's question, for the run itself.

        Raises ``Waiting`` while there is none: the question is in the inbox then. Once it has
        expired, the default decides, once and for all.
        """
        wanted = item_id(run_id, needed)
        with self._store.system() as connection:
            now = database_time(connection)
            item = find_item(connection, wanted, tenant)
            if item is None:
                insert_item(connection, run_id, tenant, needed, self._deadlines)
                item = _found(connection, wanted, tenant)
            left = item.expires_at.timestamp() - now
            if item.decision is None and left <= 0:
                _keep(connection, item, unanswered(needed, now, approve=item.auto_approve))
                item = _found(connection, wanted, tenant)
        if item.decision is None:
            raise Waiting(wanted, max(left, 0.0))
        undo = (item.decision.final_at or 0.0) - now
        if undo > 0:
            raise Waiting(wanted, undo)
        return item.decision

    def entries(
        self,
        tenant: str,
        limit: int = 50,
        before: str | None = None,
        *,
        pending: bool = True,
        asked_by: str | None = None,
    ) -> tuple[InboxEntry, ...]:
        """Pending entries, or all, newest first, before an item for paging; those of one
        person's runs where somebody is named."""
        with self._store.tenant(tenant) as connection:
            return find_entries(
                connection, tenant, limit, before, pending=pending, asked_by=asked_by
            )

    def count_for(self, decider: Decider) -> int:
        """How many pending entries this person can approve or answer, up to a hundred."""
        starter = None if decider.may_decide else decider.name
        with self._store.tenant(decider.tenant) as connection:
            found = find_entries(
                connection, decider.tenant, MOST_COUNTED, None, pending=True, asked_by=starter
            )
            starters = people_of_all(connection, [each.run_id for each in found])
        return sum(_may_approve(decider, each, starters[each.run_id]) for each in found)

    def item(self, item: str, tenant: str) -> InboxItem | None:
        """The item with what a person is shown, if this tenant has it."""
        with self._store.tenant(tenant) as connection:
            return find_item(connection, item, tenant)

    def decide(
        self, item: str, decider: Decider, ruling: Ruling, undo_seconds: float = 0
    ) -> Decision:
        """Record a decision, audit it and resume the run: all of it, or nothing.

        For ``undo_seconds`` the person may take it back, and the run waits.
        The same ruling by the same person, sent again, returns the decision that it made. Raises
        ``InboxError``.
        """
        with self._store.tenant(decider.tenant) as connection:
            found = _found(connection, item, decider.tenant)
            require_entitled(decider, found, ruling, people_of(connection, found.run_id))
            if ruling.evidence_hash != found.evidence_hash:
                raise EvidenceChangedError
            require_fitting(found, ruling)
            if found.decision is None:
                _require_awaited(found)
                now = database_time(connection)
                wait = undo_seconds + _SETTLING if undo_seconds else 0.0
                decision = Decision(
                    **ruling.model_dump(),
                    decided_by=decider.name,
                    at=now,
                    final_at=now + wait if wait else None,
                )
                if _keep(connection, found, decision):
                    self._wake(connection, found.run_id, wait)
                    return decision
                found = _found(connection, item, decider.tenant)
        return _decided_before(found, decider, ruling)

    def undo(self, item: str, decider: Decider) -> None:
        """Take one's own decision back before it is final. The run waits for another one. Raises
        ``InboxError``."""
        with self._store.tenant(decider.tenant) as connection:
            found = _found(connection, item, decider.tenant)
            if not delete_decision(connection, item, decider.tenant, decider.name):
                raise TooLateToUndoError
            detail = {"runId": found.run_id, "kind": found.kind}
            note(connection, found.tenant, decider.name, AuditAction.UNDONE, item, detail)

    def may_approve(self, item: InboxEntry, decider: Decider) -> bool:
        """Whether this person may approve the item, and not only deny it."""
        with self._store.tenant(decider.tenant) as connection:
            starters = people_of(connection, item.run_id)
        return _may_approve(decider, item, starters)

    def warn(self, tell: Tell = log_warning) -> tuple[InboxEntry, ...]:
        """Warn, once, of items that will soon expire; called by workers."""
        with self._store.system() as connection:
            due = mark_warned(connection, MOST_WARNED)
            for entry in due:
                tell(entry)
        return due


def _found(connection: Connection, item: str, tenant: str) -> InboxItem:
    found = find_item(connection, item, tenant)
    if found is None:
        raise ItemNotFoundError
    return found


def _may_approve(decider: Decider, item: InboxEntry, starters: Sequence[str]) -> bool:
    try:
        require_entitled(decider, item, _APPROVAL, starters)
    except MayNotDecideError:
        return False
    return True


def _require_awaited(item: InboxItem) -> None:
    if item.status is ItemStatus.NOT_AWAITED:
        raise NotAwaitedError
    if item.status is ItemStatus.REPLACED:
        raise EvidenceChangedError


def _keep(connection: Connection, item: InboxItem, decision: Decision) -> bool:
    """Store the decision and audit it; false when it comes too late."""
    if not insert_decision(connection, item, decision):
        return False
    detail = {
        "runId": item.run_id,
        "kind": item.kind,
        "approved": decision.approved,
        "automatic": decision.automatic,
        "evidenceHash": decision.evidence_hash,
        **({"reason": decision.reason} if decision.reason else {}),
    }
    note(connection, item.tenant, decision.decided_by, AuditAction.DECIDED, item.id, detail)
    return True


def _decided_before(item: InboxItem, decider: Decider, ruling: Ruling) -> Decision:
    """The existing decision, if this person made the same one; else raises ``InboxError``."""
    made = item.decision
    if made is None:
        raise TimeIsOverError
    earlier = (made.decided_by, made.automatic, made.approved, made.choice)
    if earlier != (decider.name, False, ruling.approved, ruling.choice):
        raise AlreadyDecidedError(made)
    return made
