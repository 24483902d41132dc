"""How a durable run asks: the inbox has the question, and the run has the decision or ends."""

import asyncio

import pytest

from tests.runs.asked import asked
from tests.runs.inboxes import ACME, ASKER, GRACE, a_run, inbox, kept, needed, ruling, woken
from veridical.contracts.person import AskPerson, Decision, Waiting
from veridical.runs.asking import asking_through
from veridical.runs.inbox import Inbox
from veridical.runs.lives import Life
from veridical.store.connection import Store

__all__ = ["inbox", "kept", "woken"]

pytestmark = pytest.mark.postgres


def decided(ask: AskPerson) -> Decision:
    async def asks() -> Decision:
        return await ask(needed())

    return asyncio.run(asks())


def test_a_run_waits_until_there_is_a_decision(inbox: Inbox, kept: Store) -> None:
    life = Life(run_id=a_run(kept), tenant=ACME, asked_by=ASKER, request=asked())
    asking = asking_through(inbox)
    with pytest.raises(Waiting) as first:
        decided(asking(life))
    with pytest.raises(Waiting) as second:
        decided(asking(life.next))
    assert second.value.item == first.value.item
    assert second.value.seconds <= first.value.seconds
    decision = inbox.decide(first.value.item, GRACE, ruling())
    assert decided(asking(life.next)) == decision


def test_runs_ask_each_for_themselves(inbox: Inbox, kept: Store) -> None:
    asking = asking_through(inbox)
    items: set[str] = set()
    for _ in range(2):
        life = Life(run_id=a_run(kept), tenant=ACME, asked_by=ASKER, request=asked())
        with pytest.raises(Waiting) as found:
            decided(asking(life))
        items.add(found.value.item)
    assert len(items) == 2
