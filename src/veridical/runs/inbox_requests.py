"""How a durable run asks people: through the inbox, without waiting in the worker."""

import asyncio
from collections.abc import Callable

from veridical.contracts.person import AskPerson, Decision, PersonNeeded
from veridical.runs.inbox import Inbox
from veridical.runs.segment import RunSegment


def inbox_requests(inbox: Inbox) -> Callable[[RunSegment], AskPerson]:
    """For each segment, its ``ask`` function: it returns the decision, or raises ``Waiting``,
    which ends the segment."""

    def of_life(segment: RunSegment) -> AskPerson:
        async def ask(needed: PersonNeeded) -> Decision:
            return await asyncio.to_thread(inbox.settled, segment.run_id, segment.tenant, needed)

        return ask

    return of_life
