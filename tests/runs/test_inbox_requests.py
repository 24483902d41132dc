"""How a durable run asks: the inbox has the question, and the run has the decision or ends."""

import asyncio

import pytest

from tests.runs.asked import asked
from tests.runs.inboxes import ACME, ASKER, GRACE, a_run, inbox, kept, needed, ruling, woken
from veridical.contracts.person import AskPerson, Decision, Waiting
from veridical.runs.inbox import Inbox
from veridical.runs.request import RunSegment
from veridical.store.connection import Store

__all__ = ["inbox", "kept", "woken"]

pytestmark = pytest.mark.postgres


def decided(ask: AskPerson) -> Decision:
    async def asks() -> Decision:
        return await ask(needed())

    return asyncio.run(asks())


def test_a_run_waits_until_there_is_a_decision(inbox: Inbox, kept: Store) -> None:
    segment = RunSegment(run_id=a_run(kept), tenant=ACME, asked_by=ASKER, request=asked())
    with pytest.raises(Waiting) as first:
        decided(inbox.ask_for(segment))
    with pytest.raises(Waiting) as second:
        decided(inbox.ask_for(segment.next))
    assert second.value.item == first.value.item
    assert second.value.seconds <= first.value.seconds
    decision = inbox.decide(first.value.item, GRACE, ruling())
    assert decided(inbox.ask_for(segment.next)) == decision


def test_runs_ask_each_for_themselves(inbox: Inbox, kept: Store) -> None:
    items: set[str] = set()
    for _ in range(2):
        segment = RunSegment(run_id=a_run(kept), tenant=ACME, asked_by=ASKER, request=asked())
        with pytest.raises(Waiting) as found:
            decided(inbox.ask_for(segment))
        items.add(found.value.item)
    assert len(items) == 2
