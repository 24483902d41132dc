"""Durable steps: run once, stored by the engine, found again by name in later segments."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from dbos import DBOS, StepOptions

from veridical.contracts.step import Action, Json
from veridical.runs.effects import EffectContext, effect_context
from veridical.runs.encoding import Encoded, encode
from veridical.runs.lease import Lease
from veridical.runs.retry import DATABASE_ERRORS, is_transient
from veridical.statement.errors import Problem
from veridical.store.connection import Store

_ATTEMPTS = 8
_FIRST_WAIT, _SLOWER = 0.5, 2.0
"""About a minute in all: a database that restarts is back by then."""


async def at_once() -> None:
    """Return at once."""


class DataUnavailableError(Exception):
    """The database behind a tool is unavailable."""


@dataclass(frozen=True)
class DurableStep:
    """The ``step`` of a durable run."""

    run_id: str
    lease: Lease
    store: Store
    known: Mapping[str, Json]
    """The results of the steps of earlier segments."""
    turn: Callable[[], Awaitable[None]] = at_once
    """Waits until this run may go on."""

    async def __call__(self, name: str, action: Action) -> Json:
        """The step's result: from an earlier segment, from before a crash, or computed now."""
        if name in self.known:
            return self.known[name]
        await self.turn()
        tries = 0

        async def taken() -> Encoded:
            nonlocal tries
            tries += 1
            if not self.lease.is_sure:
                await asyncio.to_thread(self.lease.hold)
            with effect_context(EffectContext(self.run_id, name, self.store)):
                result = await action()
            if tries < _ATTEMPTS and _is_unavailable(result):
                raise DataUnavailableError
            return Encoded(encode(result))

        options: StepOptions = {
            "name": name,
            "retries_allowed": True,
            "max_attempts": _ATTEMPTS,
            "interval_seconds": _FIRST_WAIT,
            "backoff_rate": _SLOWER,
            "should_retry": _may_pass,
        }
        given: Json = await DBOS.run_step_async(options, taken)
        # As it will be read again: a step must give the same now and when it is replayed.
        return json.loads(given.text) if isinstance(given, Encoded) else given


def _may_pass(error: BaseException) -> bool:
    if isinstance(error, DATABASE_ERRORS):
        return is_transient(error)
    return isinstance(error, DataUnavailableError | ConnectionError | TimeoutError)


def _is_unavailable(result: Json) -> bool:
    """Whether a tool says that its database was away, which a restart of it is."""
    ran = result.get("result") if isinstance(result, dict) else None
    details = ran.get("errorDetails") if isinstance(ran, dict) else None
    return isinstance(details, dict) and details.get("code") == Problem.UNAVAILABLE
