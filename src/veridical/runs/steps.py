"""Durable steps: run once, stored by the engine, found again by name in later segments."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial

from dbos import DBOS, StepOptions
from sqlalchemy import Connection, text

from veridical.contracts.step import Action, Json
from veridical.engines.step_statements import StepStatements, statements_of
from veridical.runs.encoding import Encoded, encode
from veridical.runs.errors import NotInRunError
from veridical.runs.lease import Lease
from veridical.runs.retry import (
    DATABASE_ERRORS,
    DatabaseLost,
    is_transient,
    retry,
    retry_blocking,
)
from veridical.statement.errors import Problem
from veridical.store.connection import Store, become
from veridical.store.protection import DatabaseRole

_CLAIM = text("""
    INSERT INTO dbos.veridical_effects (run_id, name, result) VALUES (:run_id, :name, '')
    ON CONFLICT DO NOTHING RETURNING name
""")
_DONE = text("SELECT result FROM dbos.veridical_effects WHERE run_id = :run_id AND name = :name")
_KEEP = text(
    "UPDATE dbos.veridical_effects SET result = :result WHERE run_id = :run_id AND name = :name"
)
_AS_LOGIN = text(
    "SELECT set_config('role', 'none', true), set_config('search_path', '\"$user\", public', true)"
)

_PATIENCE = 60.0


@dataclass(frozen=True, slots=True)
class EffectContext:
    """The run and the step in which an effect happens."""

    run_id: str
    step: str
    store: Store


_here: ContextVar[EffectContext | None] = ContextVar("veridical_run", default=None)


def effect(name: str, action: Callable[[Connection], Json]) -> Json:
    """Run an action in the database of the runs exactly once; the result of this or the first
    time.

    For code that a step of a run calls, such as a tool. The action has the login's own rights and
    must leave the transaction to us; it is rolled back and retried when the connection is lost. It
    blocks: from a coroutine, ``asyncio.to_thread`` it. Raises ``DatabaseLost`` when the database
    stays unavailable, so that it counts neither as done nor as failed.
    """
    context = _current_context()
    try:
        return retry_blocking(partial(_once, context, name, action), _PATIENCE)
    except DATABASE_ERRORS as error:
        if is_transient(error):
            raise DatabaseLost from error
        raise


def _once(context: EffectContext, name: str, action: Callable[[Connection], Json]) -> Json:
    key = {"run_id": context.run_id, "name": f"{context.step}:{name}"}
    with context.store.system() as connection:
        become(connection, DatabaseRole.DBOS)
        # Another process with the same effect waits here until it is committed or rolled back.
        if connection.execute(_CLAIM, key).first() is None:
            return json.loads(connection.execute(_DONE, key).scalar_one())
        connection.execute(_AS_LOGIN)
        result = encode(action(connection))
        become(connection, DatabaseRole.DBOS)
        connection.execute(_KEEP, {**key, "result": result})
        return json.loads(result)


def effect_key() -> str:
    """A globally unique name of this step: the idempotency key for effects outside."""
    context = _current_context()
    return f"{context.run_id}:{context.step}"


@contextmanager
def effect_context(context: EffectContext) -> Generator[None]:
    """Binds effects within the block to this step."""
    token = _here.set(context)
    try:
        yield
    finally:
        _here.reset(token)


def _current_context() -> EffectContext:
    context = _here.get()
    if context is None:
        raise NotInRunError
    return context


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
            statements = StepStatements(self.run_id, name, self._ensure_owned)
            with (
                effect_context(EffectContext(self.run_id, name, self.store)),
                statements_of(statements),
            ):
                try:
                    result = await action()
                except asyncio.CancelledError:
                    await asyncio.to_thread(statements.stop)  # its thread goes on otherwise
                    raise
            if not self.lease.is_sure:  # another worker may have ended its statement
                await retry(self.lease.hold)
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

    def _ensure_owned(self) -> None:
        """Raises ``LeaseLost``, or ``DatabaseLost`` if that is not known."""
        if self.lease.is_sure:
            return
        try:
            self.lease.hold()
        except DATABASE_ERRORS as error:
            if is_transient(error):
                raise DatabaseLost from error
            raise


def _may_pass(error: BaseException) -> bool:
    if isinstance(error, DATABASE_ERRORS):
        return is_transient(error)
    return isinstance(error, DataUnavailableError | ConnectionError | TimeoutError)


def _is_unavailable(result: Json) -> bool:
    """Whether a tool says that its database was away, which a restart of it is."""
    ran = result.get("result") if isinstance(result, dict) else None
    details = ran.get("errorDetails") if isinstance(ran, dict) else None
    return isinstance(details, dict) and details.get("code") == Problem.UNAVAILABLE
