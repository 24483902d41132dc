"""What is measured beside the server: FastAPI with the same SQL, and nothing else.

    python -m benchmarks.server_load.bare_serving ORDERS

Each request sends the very statement that the engine sends for such a question, in the same kind of
transaction on the same kind of connection. Nobody is identified; nothing is understood, checked,
held against its evidence or written down.
"""

import asyncio
import sys
from dataclasses import dataclass, field
from typing import Any

from fastapi import FastAPI
from pydantic import BaseModel

from benchmarks.scripted_balances import CLIENT, PACK
from benchmarks.server_load.ground import Orders
from benchmarks.server_load.script import Known, known_questions
from benchmarks.server_load.serving import serve_app
from veridical.answering.feature import open_feature
from veridical.answering.flow import answer
from veridical.answering.session import Session
from veridical.contracts.caller import Scope
from veridical.contracts.question import Question
from veridical.contracts.schema import Schema
from veridical.contracts.statement import Statement
from veridical.engines import Postgres
from veridical.engines.limits import Fetched, Limits
from veridical.sample.books import Sample
from veridical.sample.caller import sample_caller


class Asked(BaseModel):
    """What a client sends: the values, since nobody here reads a question."""

    account: str
    year: int
    month: int


class Found(BaseModel):
    """What it gets."""

    columns: list[str]
    rows: list[list[Any]]


@dataclass(frozen=True)
class Sent:
    """What the engine asks a database to do."""

    statement: Statement
    scope: Scope
    rows: int
    limits: Limits


@dataclass(frozen=True)
class Overheard:
    """A database of which it is known what it was asked."""

    database: Postgres
    sent: list[Sent] = field(default_factory=list[Sent])

    @property
    def dialect(self) -> str:
        return self.database.dialect

    @property
    def namespace(self) -> tuple[str, ...]:
        return self.database.namespace

    def fetch(self, statement: Statement, scope: Scope, rows: int, limits: Limits) -> Fetched:
        self.sent.append(Sent(statement, scope, rows, limits))
        return self.database.fetch(statement, scope, rows, limits)

    def reflect(self) -> Schema:
        return self.database.reflect()

    def close(self) -> None:
        self.database.close()


async def serve(orders: Orders) -> None:
    """Serve until told to stop."""
    database = Sample(orders.books_url, 0).database()
    await serve_app(bare_app(database, await _overheard(database, known_questions()[0])))
    database.close()


def bare_app(database: Postgres, sent: Sent) -> FastAPI:
    """An application with one route: the values into the statement, the rows out."""
    app = FastAPI()
    app.state.closing = asyncio.Event()
    sql, parameters, _ = sent.statement
    tenant = parameters[len(Known._fields) :]

    def fetch(asked: Asked) -> Fetched:
        statement = Statement(sql, (asked.account, asked.year, asked.month, *tenant))
        return database.fetch(statement, sent.scope, sent.rows, sent.limits)

    @app.post("/ask")
    async def ask(asked: Asked) -> Found:  # pyright: ignore[reportUnusedFunction]
        found = await asyncio.to_thread(fetch, asked)
        return Found(columns=list(found.columns), rows=[list(row) for row in found.rows])

    return app


async def _overheard(database: Postgres, known: Known) -> Sent:
    """What the engine sends for a known question."""
    overheard = Overheard(database)
    session = Session(open_feature(PACK, overheard), sample_caller(PACK, *CLIENT))
    await answer(Question(text=known.text, feature=PACK.name), session)
    (sent,) = overheard.sent
    if sent.statement.parameters[: len(known)] != known:
        raise RuntimeError("the statement has other parameters than the question has values")
    return sent


if __name__ == "__main__":
    asyncio.run(serve(Orders.model_validate_json(sys.argv[1])))
