"""The session of the runs: a scripted model asks real books three times, each time with an effect.

The script has no memory of its own, so a run that goes on in another process goes on the same way.
"""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass

from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from sqlalchemy import Connection, text
from sqlalchemy.exc import SQLAlchemyError

from benchmarks.scripted_balances import (
    CLIENT,
    PACK,
    QUESTION,
    SUMMED,
    YEARS,
    amounts,
    replies,
    rows_of,
)
from veridical.answering.feature import open_feature
from veridical.answering.session import Emit, Session
from veridical.contracts.caller import Caller, Scope
from veridical.contracts.person import NO_APPROVALS, Approvals
from veridical.contracts.question import Question
from veridical.contracts.schema import Schema
from veridical.contracts.statement import Statement
from veridical.engines import EngineError, Postgres
from veridical.engines.database import Database
from veridical.engines.limits import Fetched, Limits
from veridical.runs.request import FrozenCaller, RunRequest
from veridical.runs.retry import is_transient
from veridical.runs.steps import effect, effect_key
from veridical.sample.books import READER, Sample
from veridical.sample.caller import sample_caller
from veridical.statement.errors import Problem
from veridical.store.connection import Store, UnreachableError

TABLE = "CREATE TABLE public.counted_effects (key text NOT NULL)"
LONGEST_PAUSE = 0.06
_SPARE_SECONDS = 30.0

_ADD = text("INSERT INTO public.counted_effects (key) VALUES (:key)")

Book = Callable[[], None]
"""Does the effect of the step that is under way."""


def book_once() -> None:
    """The effect as a run should have it: one transaction with the note that it was done."""
    pause()
    effect("count", _add)
    pause()


def booking_plainly(store: Store) -> Book:
    """The same effect, with nothing that keeps it from being done again."""

    def book() -> None:
        pause()
        with store.engine.begin() as connection:
            _add(connection)
        pause()

    return book


def pause() -> None:
    """A short time, so that a kill may fall before an effect, within its step, or after it."""
    time.sleep(random.uniform(0, LONGEST_PAUSE))


def _add(connection: Connection) -> str:
    connection.execute(_ADD, {"key": effect_key()})
    return "added"


KNOWN_QUESTION = "What was the balance of account 1020 at the end of 2024?"
"""One for a pattern, with a single call, which is of the kind that needs an approval."""
GUARDED_STEP = "agent.tool.2.1"
STEPS = ("agent.tool.1.1", GUARDED_STEP, "agent.tool.3.1")
"""Those with an effect."""
CALLS = Approvals(calls=("queryTable",))
"""A person is asked before the second call; who is not heard from means no."""
EVIDENCE = Approvals(evidence=True)
"""A person is shown the results; who is not heard from means yes."""
BOTH = Approvals(calls=CALLS.calls, evidence=True)

_GUARDED_ROUND = 1
_CALLER = sample_caller(PACK, *CLIENT)


def asked(approvals: Approvals = NO_APPROVALS, question: str = QUESTION) -> RunRequest:
    """The request of every run."""
    return RunRequest(
        feature=PACK.name,
        question=Question(text=question, feature=PACK.name),
        caller=FrozenCaller.of(_CALLER),
        approvals=approvals,
    )


def open_sessions(books_url: str, book: Book) -> Callable[[str, Caller, Emit], Session]:
    """Sessions on these books, at which each question to the books is also an effect."""
    feature = open_feature(PACK, BookedBooks(Sample(books_url, 0).database(), book))
    model = FunctionModel(_speak, model_name="scripted")

    def session(name: str, caller: Caller, emit: Emit) -> Session:
        return Session(feature, caller, model, emit=emit)

    return session


def open_long_sessions(books_url: str, seconds: float) -> Callable[[str, Caller, Emit], Session]:
    """Sessions on these books, of which each statement takes so long."""
    feature = open_feature(PACK, LongBooks(books_url, seconds))
    feature.engine.limits = Limits(statement_ms=round((seconds + _SPARE_SECONDS) * 1000))

    def session(name: str, caller: Caller, emit: Emit) -> Session:
        return Session(feature, caller, emit=emit)

    return session


class LongBooks(Postgres):
    """Books in which each look takes long."""

    def __init__(self, url: str, seconds: float) -> None:
        super().__init__(url, role=READER)
        self._seconds = seconds

    def fetch(self, statement: Statement, scope: Scope, rows: int, limits: Limits) -> Fetched:
        long = statement._replace(sql=lasting(statement.sql, self._seconds))
        return super().fetch(long, scope, rows, limits)


def lasting(sql: str, seconds: float) -> str:
    """The statement, which takes so long before its first row."""
    slept = f"WITH slept AS MATERIALIZED (SELECT pg_sleep({seconds}) IS NULL AS early)"
    return f"{slept} SELECT s.* FROM ({sql}) AS s WHERE NOT (SELECT early FROM slept)"


@dataclass(frozen=True)
class BookedBooks:
    """Books in which it is noted each time that somebody looks something up."""

    books: Database
    book: Book

    @property
    def dialect(self) -> str:
        return self.books.dialect

    @property
    def namespace(self) -> tuple[str, ...]:
        return self.books.namespace

    def fetch(self, statement: Statement, scope: Scope, rows: int, limits: Limits) -> Fetched:
        try:
            self.book()
        except (SQLAlchemyError, UnreachableError) as error:
            if not is_transient(error):
                raise
            raise EngineError(Problem.UNAVAILABLE) from error
        return self.books.fetch(statement, scope, rows, limits)

    def reflect(self) -> Schema:
        return self.books.reflect()

    def close(self) -> None:
        self.books.close()


async def _speak(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    spoken = replies(messages)
    if spoken < len(YEARS):
        return ModelResponse([_call(spoken)])
    amount = list(amounts(messages))[-1]
    text = f"The balance of account 1020 at the end of {YEARS[-1]} was {amount:,.2f}."
    return ModelResponse([TextPart(text)])


def _call(number: int) -> ToolCallPart:
    rows = rows_of(YEARS[number])
    if number == _GUARDED_ROUND:
        return ToolCallPart("queryTable", {**rows, "fields": ["closingBalance"]}, f"{number}")
    return ToolCallPart("aggregateTable", {**rows, **SUMMED}, f"{number}")
