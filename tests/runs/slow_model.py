"""A model that takes its time and leaves marks: what was attempted, and what was done for good."""

import asyncio
import os
from functools import partial

from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from sqlalchemy import Connection, Engine, NullPool, create_engine, make_url, text

from tests.runs.asked import rows
from veridical.runs.retry import retry
from veridical.runs.steps import effect, effect_key
from veridical.store.connection import Store

ROUNDS = 3
"""How often the model is asked in a run."""
DEADLY = "Kill whoever works on this"
_MARKS = (
    "CREATE TABLE public.attempted (key text)",
    "CREATE TABLE public.done (key text)",
)


def prepare_marks(store: Store) -> None:
    """The tables for the marks."""
    for sql in _MARKS:
        rows(store, sql)


def slow_model(url: str, seconds: float) -> FunctionModel:
    """Two calls of a tool, then a text; each after so many seconds."""
    engine = create_engine(make_url(url).set(drivername="postgresql+psycopg"), poolclass=NullPool)

    async def speak(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        if DEADLY in str(messages[0]):
            os._exit(3)
        key = effect_key()
        await retry(partial(_attempted, engine, key))
        await asyncio.to_thread(effect, "mark", lambda connection: _done(connection, key))
        await asyncio.sleep(seconds)
        asked = sum(isinstance(message, ModelResponse) for message in messages) + 1
        if asked == ROUNDS:
            return ModelResponse([TextPart("That can't be told from the books.")])
        sum_of = {"expression": f"{asked} + {asked}"}
        return ModelResponse([ToolCallPart("calculate", sum_of, f"call-{asked}")])

    return FunctionModel(speak, model_name="slow")


def _attempted(engine: Engine, key: str) -> None:
    with engine.begin() as connection:
        connection.execute(text("INSERT INTO public.attempted VALUES (:key)"), {"key": key})


def _done(connection: Connection, key: str) -> None:
    connection.execute(text("INSERT INTO public.done VALUES (:key)"), {"key": key})
