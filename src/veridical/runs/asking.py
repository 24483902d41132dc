"""How a durable run asks people: through the inbox, and never by waiting for them."""

import asyncio
from collections.abc import Callable

from veridical.contracts.person import AskPerson, Decision, PersonNeeded
from veridical.runs.inbox import Inbox
from veridical.runs.lives import Life


def asking_through(inbox: Inbox) -> Callable[[Life], AskPerson]:
    """For each life of a run, how it asks: it gets the decision, or ``Waiting`` ends it."""

    def of_life(life: Life) -> AskPerson:
        async def ask(needed: PersonNeeded) -> Decision:
            return await asyncio.to_thread(inbox.settled, life.run_id, life.tenant, needed)

        return ask

    return of_life
