"""A decision that is taken back within seconds, before the run goes on with it."""

import pytest
from sqlalchemy import text

from tests.runs.inboxes import (
    ACME,
    GRACE,
    Woken,
    as_owner,
    asked_about,
    inbox,
    kept,
    needed,
    ruling,
    waiting,
    woken,
)
from veridical.runs.errors import TooLateToUndoError
from veridical.runs.inbox import Inbox
from veridical.runs.inbox_item import Decider, ItemStatus
from veridical.store.audit import AuditAction, entries
from veridical.store.connection import Store

__all__ = ["inbox", "kept", "woken"]

pytestmark = pytest.mark.postgres


def test_a_decision_can_be_undone_for_seconds_and_the_run_waits(
    inbox: Inbox, kept: Store, woken: Woken
) -> None:
    run_id, item = asked_about(inbox, kept)
    made = inbox.decide(item, GRACE, ruling(approved=False).model_copy(update={"reason": "no"}), 10)
    assert made.final_at is not None
    assert woken == [run_id]
    assert 9 < waiting(inbox, run_id, needed()).seconds <= 11
    with pytest.raises(TooLateToUndoError):  # of somebody else
        inbox.undo(item, Decider(ACME, "Ann", may_decide=True))
    inbox.undo(item, GRACE)
    assert waiting(inbox, run_id, needed()).seconds > 60
    assert inbox.entries(ACME)[0].status is ItemStatus.PENDING
    with pytest.raises(TooLateToUndoError):
        inbox.undo(item, GRACE)
    with kept.tenant(ACME) as connection:
        actions = [each.action for each in entries(connection, 2)]
    assert actions == [AuditAction.UNDONE, AuditAction.DECIDED]
    inbox.decide(item, GRACE, ruling())
    with pytest.raises(TooLateToUndoError):  # final at once
        inbox.undo(item, GRACE)
    assert inbox.settled(run_id, ACME, needed()).approved


def test_the_database_itself_keeps_decisions_that_are_final(inbox: Inbox, kept: Store) -> None:
    for undo_seconds in (0, 10):
        _, item = asked_about(inbox, kept)
        inbox.decide(item, GRACE, ruling(), undo_seconds)
    as_owner(
        kept,
        "UPDATE veridical.decisions SET decided_at = now() - interval '12 seconds'"
        " WHERE decision ->> 'finalAt' IS NOT NULL",
    )
    with kept.tenant(ACME) as connection:
        gone = connection.execute(text("DELETE FROM veridical.decisions"))
        assert gone.rowcount == 0
