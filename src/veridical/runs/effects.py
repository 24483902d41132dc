"""Exactly-once effects of a run, however often its step is taken.

In the database of the runs an effect and the note that it was done are one transaction. Anything
outside is handed the key of its step, and must itself refuse to do the same thing twice.
"""

import json
from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial

from sqlalchemy import Connection, text

from veridical.contracts.step import Json
from veridical.runs.encoding import encode
from veridical.runs.errors import NotInRunError
from veridical.runs.retry import DATABASE_ERRORS, DatabaseLost, is_transient, retry_blocking
from veridical.store.connection import Store, become
from veridical.store.roles import DatabaseRole

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
