"""The inbox on a real PostgreSQL: once, bound to the evidence, in time."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from tests.effort import examples
from tests.runs.inboxes import (
    ACME,
    ASKER,
    GLOBEX,
    GRACE,
    RESULTS,
    Woken,
    a_run,
    as_owner,
    asked_about,
    inbox,
    kept,
    let_time_pass,
    needed,
    ruling,
    waiting,
    woken,
)
from veridical.contracts.person import NO_PERSON, Decision, ItemKind, PersonNeeded
from veridical.runs.errors import (
    AlreadyDecidedError,
    EvidenceChangedError,
    InvalidChoiceError,
    ItemNotFoundError,
    MayNotDecideError,
    NotAwaitedError,
    OwnRequestError,
    TimeIsOverError,
)
from veridical.runs.inbox import Inbox
from veridical.runs.inbox_item import DEFAULT_DEADLINES, Decider, InboxDeadlines, ItemStatus, Ruling
from veridical.store.audit import AuditAction, entries
from veridical.store.connection import Store

__all__ = ["inbox", "kept", "woken"]

pytestmark = pytest.mark.postgres

_REFUSED = "duplicate key|permission denied"


def noted(store: Store, item: str) -> list[tuple[str, dict[str, Any]]]:
    """Who decided on this, as the audit has it."""
    with store.tenant(ACME) as connection:
        found = entries(connection, 1000)
    of_item = [
        each for each in found if each.action == AuditAction.DECIDED and each.subject == item
    ]
    return [(each.actor, each.detail) for each in of_item]


def test_a_question_is_there_once_however_often_it_is_asked(inbox: Inbox, kept: Store) -> None:
    run_id = a_run(kept)
    first, again = (waiting(inbox, run_id, needed()) for _ in range(2))
    assert again.item == first.item
    assert 24 * 3600 - 60 < again.seconds <= first.seconds <= 24 * 3600
    (entry,) = inbox.entries(ACME)
    assert (entry.id, entry.status, entry.asked_by) == (first.item, ItemStatus.PENDING, ASKER)
    assert entry.question == "Wie viel?"


def test_a_decision_is_given_to_the_run_and_wakes_it(
    inbox: Inbox, kept: Store, woken: Woken
) -> None:
    run_id, item = asked_about(inbox, kept)
    decision = inbox.decide(item, GRACE, ruling(results=[1]))
    assert inbox.settled(run_id, ACME, needed()) == decision
    assert (decision.decided_by, decision.automatic) == ("Grace", False)
    assert decision.choice == {"results": [1]}
    assert woken == [run_id]
    assert inbox.entries(ACME) == ()
    ((actor, detail),) = noted(kept, item)
    assert actor == "Grace"
    assert (detail["runId"], detail["approved"]) == (run_id, True)


def test_somebody_sees_what_their_own_runs_wait_for(inbox: Inbox, kept: Store) -> None:
    _, item = asked_about(inbox, kept)
    waiting(inbox, a_run(kept, asked_by="Eve"), needed())
    assert [entry.id for entry in inbox.entries(ACME, asked_by=ASKER)] == [item]
    assert [entry.id for entry in inbox.entries(ACME, pending=False, asked_by=ASKER)] == [item]
    assert inbox.entries(ACME, asked_by="Nobody") == ()
    assert len(inbox.entries(ACME)) == 2


def test_other_evidence_is_another_question(inbox: Inbox, kept: Store) -> None:
    run_id, old = asked_about(inbox, kept)
    inbox.decide(old, GRACE, ruling())
    changed = needed(results=[*RESULTS, {"tool": "queryTable", "rows": []}])
    new = waiting(inbox, run_id, changed)
    assert new.item != old
    assert [entry.id for entry in inbox.entries(ACME)] == [new.item]
    with pytest.raises(EvidenceChangedError):
        inbox.decide(new.item, GRACE, ruling())
    assert inbox.decide(new.item, GRACE, ruling(changed)).approved


def test_nobody_decides_on_evidence_that_was_replaced(inbox: Inbox, kept: Store) -> None:
    run_id, old = asked_about(inbox, kept)
    waiting(inbox, run_id, needed(results=RESULTS[:1]))
    shown = inbox.item(old, ACME)
    assert shown is not None
    assert shown.status is ItemStatus.REPLACED
    with pytest.raises(EvidenceChangedError):
        inbox.decide(old, GRACE, ruling())
    assert len(inbox.entries(ACME)) == 1


CELLS = some.sampled_from([None, 0, 1, 1.0, "1", "\x00", "\ud800", "ä", 1e22, -0.5])
ROWS = some.lists(some.lists(CELLS, max_size=2), max_size=2)


@given(ROWS, ROWS)
@settings(
    max_examples=examples(40),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_a_decision_holds_for_what_was_shown_and_for_nothing_else(
    inbox: Inbox, kept: Store, shown: list[Any], now: list[Any]
) -> None:
    seen = needed(results=[{"tool": "queryTable", "rows": shown}])
    asked = needed(results=[{"tool": "queryTable", "rows": now}])
    _, item = asked_about(inbox, kept, asked)
    stored = inbox.item(item, ACME)
    assert stored is not None
    assert stored.evidence_hash == asked.evidence_hash
    assert asked.model_copy(update={"subject": stored.subject}).evidence_hash == asked.evidence_hash
    if seen.evidence_hash == asked.evidence_hash:
        assert inbox.decide(item, GRACE, ruling(seen)).evidence_hash == asked.evidence_hash
    else:
        with pytest.raises(EvidenceChangedError):
            inbox.decide(item, GRACE, ruling(seen))


@pytest.mark.parametrize("attempt", range(5))
def test_of_many_who_decide_at_once_one_does(
    inbox: Inbox, kept: Store, woken: Woken, attempt: int
) -> None:
    run_id, item = asked_about(inbox, kept)
    together = Barrier(8)

    def decide(number: int) -> Decision | AlreadyDecidedError:
        person = Decider(ACME, f"person {number}", may_decide=True)
        together.wait()
        try:
            return inbox.decide(item, person, ruling(approved=number % 2 == 0))
        except AlreadyDecidedError as error:
            return error

    with ThreadPoolExecutor(8) as threads:
        outcomes = list(threads.map(decide, range(8)))
    (won,) = [each for each in outcomes if isinstance(each, Decision)]
    lost = [each for each in outcomes if isinstance(each, AlreadyDecidedError)]
    assert len(lost) == 7
    assert all(error.decision == won for error in lost)
    assert inbox.settled(run_id, ACME, needed()) == won
    assert woken == [run_id]
    assert [actor for actor, _ in noted(kept, item)] == [won.decided_by]


def test_the_same_ruling_sent_again_is_no_second_one(
    inbox: Inbox, kept: Store, woken: Woken
) -> None:
    _, item = asked_about(inbox, kept)
    first = inbox.decide(item, GRACE, ruling())
    assert inbox.decide(item, GRACE, ruling()) == first
    assert len(woken) == 1
    with pytest.raises(AlreadyDecidedError):
        inbox.decide(item, GRACE, ruling(approved=False))
    with pytest.raises(AlreadyDecidedError):
        inbox.decide(item, Decider(ACME, "Hal", may_decide=True), ruling())


@pytest.mark.parametrize("kind", [ItemKind.CALL, ItemKind.EVIDENCE])
def test_who_asked_does_not_approve_it(inbox: Inbox, kept: Store, kind: ItemKind) -> None:
    asked = needed(kind)
    _, item = asked_about(inbox, kept, asked)
    with pytest.raises(OwnRequestError):
        inbox.decide(item, Decider(ACME, ASKER, may_decide=True, may_ask=True), ruling(asked))
    with pytest.raises(MayNotDecideError):
        inbox.decide(item, Decider(ACME, "Grace", may_decide=False, may_ask=True), ruling(asked))
    assert inbox.decide(item, GRACE, ruling(asked)).approved


def test_another_tenant_has_nothing_to_see_or_decide(inbox: Inbox, kept: Store) -> None:
    _, item = asked_about(inbox, kept)
    stranger = Decider(GLOBEX, "Grace", may_decide=True)
    with pytest.raises(ItemNotFoundError):
        inbox.decide(item, stranger, ruling())
    assert inbox.item(item, GLOBEX) is None
    assert inbox.entries(GLOBEX, pending=False) == ()


def test_a_choice_that_does_not_fit_is_not_taken(inbox: Inbox, kept: Store, woken: Woken) -> None:
    _, item = asked_about(inbox, kept)
    with pytest.raises(InvalidChoiceError):
        inbox.decide(item, GRACE, ruling(results=[2]))
    shown = inbox.item(item, ACME)
    assert shown is not None
    assert (shown.status, woken) == (ItemStatus.PENDING, [])


APPROVING = InboxDeadlines(approve_unanswered=("evidence",))


@pytest.mark.parametrize(
    ("kind", "deadlines", "approved", "choice"),
    [
        (ItemKind.EVIDENCE, DEFAULT_DEADLINES, False, {}),
        (ItemKind.CALL, DEFAULT_DEADLINES, False, {}),
        (ItemKind.CLARIFICATION, DEFAULT_DEADLINES, False, {}),
        (ItemKind.EVIDENCE, APPROVING, True, {"results": [0, 1]}),
        (ItemKind.CALL, APPROVING, False, {}),
        (ItemKind.CLARIFICATION, APPROVING, False, {}),
    ],
)
def test_when_nobody_answers_nothing_is_approved_but_what_the_owner_says(
    inbox: Inbox,
    kept: Store,
    kind: ItemKind,
    deadlines: InboxDeadlines,
    approved: bool,
    choice: dict[str, Any],
) -> None:
    inbox = Inbox(kept, deadlines)
    run_id, item = asked_about(inbox, kept, needed(kind))
    let_time_pass(kept, item, 23.9)
    waiting(inbox, run_id, needed(kind))
    let_time_pass(kept, item, 0.2)
    decision = inbox.settled(run_id, ACME, needed(kind))
    assert (decision.approved, decision.choice) == (approved, choice)
    assert (decision.automatic, decision.decided_by) == (True, NO_PERSON)
    assert inbox.settled(run_id, ACME, needed(kind)) == decision
    ((actor, detail),) = noted(kept, item)
    assert (actor, detail["automatic"]) == (NO_PERSON, True)


def test_a_person_who_comes_too_late_decides_nothing(
    inbox: Inbox, kept: Store, woken: Woken
) -> None:
    run_id, item = asked_about(inbox, kept)
    let_time_pass(kept, item, 24)
    with pytest.raises(TimeIsOverError):
        inbox.decide(item, GRACE, ruling(approved=False))
    assert inbox.entries(ACME) == ()
    made = inbox.settled(run_id, ACME, needed())
    with pytest.raises(AlreadyDecidedError) as found:
        inbox.decide(item, GRACE, ruling(approved=False))
    assert found.value.decision == made
    assert woken == []


def test_the_rule_decides_once_however_many_lives_look(inbox: Inbox, kept: Store) -> None:
    run_id, item = asked_about(inbox, kept)
    let_time_pass(kept, item, 24)
    together = Barrier(6)

    def look(_: int) -> Decision:
        together.wait()
        return inbox.settled(run_id, ACME, needed())

    with ThreadPoolExecutor(6) as threads:
        decisions = list(threads.map(look, range(6)))
    assert all(decision == decisions[0] for decision in decisions)
    assert len(noted(kept, item)) == 1


def test_each_kind_has_its_own_time(kept: Store, inbox: Inbox) -> None:
    patient = Inbox(kept, InboxDeadlines(call=1, clarification=48))
    seconds = {
        kind: waiting(patient, a_run(kept), needed(kind)).seconds / 3600 for kind in ItemKind
    }
    assert {kind: round(hours) for kind, hours in seconds.items()} == {
        ItemKind.EVIDENCE: 24,
        ItemKind.CALL: 1,
        ItemKind.CLARIFICATION: 48,
    }


def test_people_are_warned_once_before_the_time_is_over(inbox: Inbox, kept: Store) -> None:
    _, early = asked_about(inbox, kept)
    _, soon = asked_about(inbox, kept)
    _, sooner = asked_about(inbox, kept)
    _, decided = asked_about(inbox, kept)
    _, late = asked_about(inbox, kept)
    for item, hours in ((early, 21.9), (soon, 22.1), (sooner, 23), (decided, 23), (late, 25)):
        let_time_pass(kept, item, hours)
    inbox.decide(decided, GRACE, ruling())
    told: list[str] = []
    assert [entry.id for entry in inbox.warn(lambda entry: told.append(entry.id))] == told
    assert told == [sooner, soon]
    assert inbox.warn() == ()
    shown = inbox.item(soon, ACME)
    assert shown is not None
    assert shown.warned_at is not None


def test_two_who_warn_at_once_warn_each_person_once(inbox: Inbox, kept: Store) -> None:
    items = [asked_about(inbox, kept)[1] for _ in range(12)]
    for item in items:
        let_time_pass(kept, item, 23)
    together = Barrier(4)

    def warn(_: int) -> list[str]:
        together.wait()
        return [entry.id for entry in inbox.warn(lambda entry: None)]

    with ThreadPoolExecutor(4) as threads:
        warned = [item for found in threads.map(warn, range(4)) for item in found]
    assert sorted(warned) == sorted(items)


def test_a_warning_that_could_not_be_passed_on_comes_again(inbox: Inbox, kept: Store) -> None:
    _, item = asked_about(inbox, kept)
    let_time_pass(kept, item, 23)

    def fail(entry: object) -> None:
        raise ConnectionError

    with pytest.raises(ConnectionError):
        inbox.warn(fail)
    assert [entry.id for entry in inbox.warn()] == [item]


def test_the_inbox_is_read_page_by_page(inbox: Inbox, kept: Store) -> None:
    asked = [asked_about(inbox, kept)[1] for _ in range(7)]
    asked_about(inbox, kept, tenant=GLOBEX)
    inbox.decide(asked[3], GRACE, ruling())
    pages: list[str] = []
    before = None
    while page := inbox.entries(ACME, 3, before):
        assert len(page) <= 3
        pages += [entry.id for entry in page]
        before = pages[-1]
    assert pages == [item for item in reversed(asked) if item != asked[3]]
    everything = inbox.entries(ACME, pending=False)
    assert [entry.id for entry in everything] == list(reversed(asked))
    assert everything[3].status is ItemStatus.DECIDED


@pytest.mark.parametrize("status", ["done", "failed", "cancelled"])
def test_a_run_that_has_ended_needs_no_decision(inbox: Inbox, kept: Store, status: str) -> None:
    run_id, item = asked_about(inbox, kept)
    as_owner(
        kept,
        "UPDATE veridical.run_requests SET status = :status WHERE run_id = :run",
        status=status,
        run=run_id,
    )
    assert inbox.entries(ACME) == ()
    assert inbox.entries(ACME, pending=False)[0].status is ItemStatus.NOT_AWAITED
    with pytest.raises(NotAwaitedError):
        inbox.decide(item, GRACE, ruling())


def test_a_decision_without_its_run_going_on_is_none(inbox: Inbox, kept: Store) -> None:
    run_id, item = asked_about(inbox, kept)

    def broken(connection: Connection, woken_id: str, seconds: float) -> None:
        raise ConnectionError

    with pytest.raises(ConnectionError):
        Inbox(kept, wake_run=broken).decide(item, GRACE, ruling())
    waiting(inbox, run_id, needed())
    assert noted(kept, item) == []


def test_the_database_itself_takes_no_second_decision(inbox: Inbox, kept: Store) -> None:
    _, item = asked_about(inbox, kept)
    inbox.decide(item, GRACE, ruling())
    for statement in (
        "INSERT INTO veridical.decisions SELECT * FROM veridical.decisions WHERE item = :item",
        "UPDATE veridical.decisions SET decided_by = 'Hal' WHERE item = :item",
    ):
        with pytest.raises(DBAPIError, match=_REFUSED), kept.tenant(ACME) as connection:
            connection.execute(text(statement), {"item": item})


def test_a_clarification_is_answered_by_who_asked(inbox: Inbox, kept: Store) -> None:
    unclear: PersonNeeded = needed(ItemKind.CLARIFICATION, asked="Per welchem Datum?")
    run_id, item = asked_about(inbox, kept, unclear)
    said = Ruling(approved=True, choice={"text": "Ende 2024"}, evidence_hash=unclear.evidence_hash)
    inbox.decide(item, Decider(ACME, ASKER, may_decide=False, may_ask=True), said)
    assert inbox.settled(run_id, ACME, unclear).choice == {"text": "Ende 2024"}
