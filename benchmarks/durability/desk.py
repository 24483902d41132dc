"""The desk of the runs: a scripted model asks real books three times, and each time has an effect.

The script has no memory of its own: what it says follows from what it has heard, so a run that goes
on in another process goes on the same way.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel
from sqlalchemy.exc import SQLAlchemyError

from benchmarks.durability.effects import Book
from veridical.contracts.approvals import NO_APPROVALS, Approvals
from veridical.contracts.caller import Caller, Scope
from veridical.contracts.question import Question
from veridical.contracts.schema import Schema
from veridical.engine import EngineError
from veridical.engine.database import Database
from veridical.engine.emit import Statement
from veridical.engine.errors import Problem
from veridical.engine.limits import Fetched, Limits
from veridical.feature import open_feature
from veridical.ontology.pack import load_pack
from veridical.runs.patience import is_passing
from veridical.runs.request import FrozenCaller, RunRequest
from veridical.store.connection import UnreachableError
from veridical.testing.sample import Sample, sample_caller
from veridical.ways import Desk, Emit

PACK = load_pack("trustee")
QUESTION = "What were the balances of account 1020 in 2022, 2023 and 2024?"
"""No pattern knows it: it is one for the model."""
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

_YEARS = (2022, 2023, 2024)
_GUARDED_ROUND = 1
_CALLER = sample_caller(PACK, "m-001", "m-001-a")


def asked(approvals: Approvals = NO_APPROVALS, question: str = QUESTION) -> RunRequest:
    """The request of every run."""
    return RunRequest(
        feature=PACK.name,
        question=Question(text=question, feature=PACK.name),
        caller=FrozenCaller.of(_CALLER),
        approvals=approvals,
    )


def open_desks(books_url: str, book: Book) -> Callable[[str, Caller, Emit], Desk]:
    """Desks on these books, at which each question to the books is also an effect."""
    feature = open_feature(PACK, BookedBooks(Sample(books_url, 0).database(), book))
    model = FunctionModel(_speak, model_name="scripted")

    def desk(name: str, caller: Caller, emit: Emit) -> Desk:
        return Desk(feature, caller, model, emit=emit)

    return desk


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
            if not is_passing(error):
                raise
            raise EngineError(Problem.UNAVAILABLE) from error
        return self.books.fetch(statement, scope, rows, limits)

    def reflect(self) -> Schema:
        return self.books.reflect()

    def close(self) -> None:
        self.books.close()


async def _speak(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    spoken = sum(isinstance(message, ModelResponse) for message in messages)
    if spoken < len(_YEARS):
        return ModelResponse([_call(spoken)])
    amount = list(_amounts(messages))[-1]
    text = f"The balance of account 1020 at the end of {_YEARS[-1]} was {amount:,.2f}."
    return ModelResponse([TextPart(text)])


def _call(number: int) -> ToolCallPart:
    wanted = {"accountNumber": "1020", "periodYear": _YEARS[number], "periodMonth": 0}
    arguments: dict[str, Any] = {
        "tableName": "TrusteeDataAccountBalance",
        "filters": [{"field": name, "op": "=", "value": value} for name, value in wanted.items()],
    }
    if number == _GUARDED_ROUND:
        return ToolCallPart("queryTable", {**arguments, "fields": ["closingBalance"]}, f"{number}")
    summed = {"aggregate": "SUM", "field": "closingBalance"}
    return ToolCallPart("aggregateTable", {**arguments, **summed}, f"{number}")


def _amounts(messages: list[ModelMessage]) -> Iterator[float]:
    for message in messages:
        if isinstance(message, ModelRequest):
            for part in message.parts:
                if isinstance(part, ToolReturnPart):
                    told = json.loads(str(part.content))
                    if told["success"]:
                        yield told["data"]["rows"][0][0]
