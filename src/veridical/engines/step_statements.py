"""The statements of one step of a durable run: under the name of the step, and stopped with it.

An engine on a server goes on with a statement whose worker has died. So the statement runs under a
name that the next worker of the run knows as well: it ends what still runs under that name before
it starts the statement again.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from hashlib import sha256
from threading import Lock
from time import monotonic, sleep

from veridical.engines.database import Database, EndsStatements
from veridical.statement.errors import EngineError, Problem

_DIGITS = 40
_FIRST_WAIT, _LONGEST_WAIT = 0.02, 0.5
_STOP_SECONDS = 3.0
_END_SECONDS = 60.0
"""Longer than a statement may take: where the login may not end one, its time limit does."""


class StepStatements:
    """The statements of one step, taken by one worker; one after another."""

    def __init__(self, run_id: str, step: str, ensure_owned: Callable[[], object]) -> None:
        """``ensure_owned`` raises once the run belongs to another worker."""
        # Of the run's own random id: nobody else's statement has this name.
        self.name = f"veridical:{sha256(f'{run_id}:{step}'.encode()).hexdigest()[:_DIGITS]}"
        self._ensure_owned = ensure_owned
        self._cleared: list[Database] = []
        self._lock = Lock()
        self._stops: list[Callable[[], object]] = []
        self._is_stopped = False

    def prepare(self, database: Database) -> None:
        """Makes sure that no statement of this step runs there, and that this worker may start one.

        Raises ``EngineError`` if one can't be ended.
        """
        if isinstance(database, EndsStatements) and database not in self._cleared:
            database.end_statements(self.name)
            self._cleared.append(database)
        self._ensure_owned()

    @contextmanager
    def stoppable(self, stop: Callable[[], object]) -> Generator[None]:
        """Calls ``stop`` within the block, never after it, once the step is stopped."""
        with self._lock:
            if self._is_stopped:
                raise EngineError(Problem.TIMEOUT)
            self._stops.append(stop)
        try:
            yield
        finally:
            with self._lock:
                self._stops.remove(stop)

    def stop(self) -> None:
        """Stops the statement that runs, and all that follow."""
        end, wait = monotonic() + _STOP_SECONDS, _FIRST_WAIT
        while monotonic() < end:  # again: one that is just being sent can't be cancelled yet
            with self._lock:
                self._is_stopped = True
                for stop in self._stops:
                    stop()
                if not self._stops:
                    return
            sleep(wait)
            wait = min(wait * 2, _LONGEST_WAIT)


_current: ContextVar[StepStatements | None] = ContextVar("veridical_statements", default=None)


@contextmanager
def statements_of(step: StepStatements) -> Generator[None]:
    """Statements within the block are those of this step."""
    token = _current.set(step)
    try:
        yield
    finally:
        _current.reset(token)


def prepare(database: Database) -> None:
    """As ``StepStatements.prepare``, within a step."""
    step = _current.get()
    if step is not None:
        step.prepare(database)


def statement_name() -> str:
    """The name of the statements that are started here; empty outside of a step."""
    step = _current.get()
    return step.name if step is not None else ""


def named(sql: str, name: str) -> str:
    """The statement with its name, as an engine's list of running statements shows it."""
    return f"/* {name} */ {sql}" if name else sql


@contextmanager
def stoppable(stop: Callable[[], object]) -> Generator[None]:
    """As ``StepStatements.stoppable``, within a step."""
    step = _current.get()
    if step is None:
        yield
        return
    with step.stoppable(stop):
        yield


def wait_for_end(end_all: Callable[[], bool]) -> None:
    """Calls ``end_all`` until it returns false, because nothing was left to end.

    Raises ``EngineError`` if that takes too long.
    """
    end, wait = monotonic() + _END_SECONDS, _FIRST_WAIT
    while end_all():
        if monotonic() > end:
            raise EngineError(Problem.UNAVAILABLE)
        sleep(wait)
        wait = min(wait * 2, _LONGEST_WAIT)
