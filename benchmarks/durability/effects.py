"""The effects that are counted: rows in a table that takes any row any number of times."""

import random
import time
from collections.abc import Callable

from sqlalchemy import Connection, text

from veridical.runs.effects import effect, effect_key
from veridical.store.connection import Store

TABLE = "CREATE TABLE public.counted_effects (key text NOT NULL)"
LONGEST_PAUSE = 0.06

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
