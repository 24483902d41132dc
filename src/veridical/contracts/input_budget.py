"""Input limits: one budget of time, size and depth for every text, statement and piece of evidence.
Memory follows from these, since nothing is kept of them twice.

Input above the budget is never processed: the gate holds the answer back, the check refuses, the
route takes the path that assumes nothing.
"""

import gc
import re
from collections.abc import Iterable, Mapping, Sequence, Set
from contextvars import ContextVar
from dataclasses import dataclass, fields, is_dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from itertools import chain
from threading import local
from time import perf_counter, thread_time
from typing import Any

from pydantic import BaseModel

_OLDEST = 2
"""The generation whose collection walks through everything."""


class _Held(local):
    """One thread's collections."""

    began: float | None = None
    seconds: float = 0.0


_HELD = _Held()


def _note(phase: str, info: dict[str, Any]) -> None:
    if info["generation"] < _OLDEST:
        return
    if phase == "start":
        _HELD.began = thread_time()
    elif _HELD.began is not None:
        _HELD.seconds += thread_time() - _HELD.began
        _HELD.began = None


gc.callbacks.append(_note)


def work_time() -> float:
    """The seconds that this thread was busy, but for full collections."""
    return thread_time() - _HELD.seconds


class Limit(StrEnum):
    """A limit of the input; the value is the name of the budget's field."""

    ANSWER = "answer_characters"
    FIGURES = "answer_figures"
    QUESTION = "question_characters"
    STATEMENT = "statement_characters"
    CHARACTERS = "evidence_characters"
    CELLS = "evidence_cells"
    DEPTH = "evidence_depth"
    STEPS = "statement_steps"
    SECONDS = "seconds"


class OverBudgetError(Exception):
    """An input goes beyond its budget. Raised inside of a judgement, and never out of one."""

    def __init__(self, limit: Limit, most: float) -> None:
        super().__init__(f"more than {most:,} {limit.replace('_', ' ')}")
        self.limit = limit
        self.most = most


@dataclass(frozen=True, slots=True)
class InputBudget:
    """The most that one judgement takes on."""

    answer_characters: int = 100_000
    answer_figures: int = 10_000
    """Stretches of digits, each of which must be supported by the data."""
    question_characters: int = 100_000
    statement_characters: int = 100_000
    statement_steps: int = 60_000
    """Of reading a statement: its nodes, and what each of them hands on."""
    evidence_characters: int = 10_000_000
    evidence_cells: int = 1_000_000
    """Values of every kind, and their containers."""
    evidence_depth: int = 64
    seconds: float = 0.65
    """Seconds of the judging thread's own time: waiting for a busy machine does not count."""

    def ensure_text(self, limit: Limit, text: str) -> None:
        """Raises ``OverBudgetError`` where the text is longer than this limit."""
        self._ensure(limit, len(text))

    def ensure_answer(self, answer: str) -> None:
        """The same for an answer, which may not have too many figures either."""
        self._ensure(Limit.ANSWER, len(answer))
        if len(answer) > self.answer_figures:
            self._ensure(Limit.FIGURES, len(_FIGURE.findall(answer)))

    def _ensure(self, limit: Limit, many: int) -> None:
        most: int = getattr(self, limit)
        if many > most:
            raise OverBudgetError(limit, most)

    def ensure_evidence(self, evidence: Any) -> None:
        """Raises ``OverBudgetError`` where the evidence is too large or nests too deep.

        What contains itself nests too deep.
        """
        cells = characters = 0
        level: Sequence[Any] = (evidence,)
        for _ in range(self.evidence_depth + 1):
            kinds = set(map(type, level))
            if str in kinds:
                texts = level if len(kinds) == 1 else [each for each in level if type(each) is str]
                characters += sum(map(len, texts))
                if characters > self.evidence_characters:
                    raise OverBudgetError(Limit.CHARACTERS, self.evidence_characters)
            if kinds <= _SCALARS:
                return
            level = self._below(level, cells)
            cells += len(level)
        raise OverBudgetError(Limit.DEPTH, self.evidence_depth)

    def _below(self, level: Sequence[Any], cells: int) -> Sequence[Any]:
        """The values below one level; rows with the same names list these once."""
        rows = [each for each in level if type(each) in _PLAIN_ROWS]
        self._ensure(Limit.CELLS, cells + sum(map(len, rows)))
        below = list[Any](chain.from_iterable(rows))
        others = level if not rows else [each for each in level if type(each) not in _NO_MORE]
        known: Any = None
        for each in others:
            kind = type(each)
            if kind is dict:
                below.extend(each.values())
                if each.keys() != known:
                    known = each.keys()
                    below.extend(known)
            elif kind not in _SCALARS:
                below.extend(_contents(each))
            self._ensure(Limit.CELLS, cells + len(below))
        return below


DEFAULT_BUDGET = InputBudget()
_ROWS = (list, tuple, set, frozenset)
_PLAIN_ROWS = frozenset({list, tuple})
_OTHER_ROWS = (Sequence, Set)
_FIGURE = re.compile(r"\d+")
_SCALARS = frozenset({str, int, float, bool, type(None), bytes, date, datetime, Decimal})
_NO_MORE = _SCALARS | _PLAIN_ROWS


def _contents(value: Any) -> Iterable[Any]:
    """The values inside a value; none for a scalar of any type."""
    if isinstance(value, _ROWS) or (isinstance(value, _OTHER_ROWS) and not isinstance(value, str)):
        return value
    if isinstance(value, Mapping):
        return (*value.values(), *value)
    if isinstance(value, BaseModel):
        return value.__dict__.values()
    if is_dataclass(value) and not isinstance(value, type):
        return [getattr(value, each.name) for each in fields(value)]
    return ()


@dataclass(slots=True)
class _Watch:
    """The seconds that a thread may work.

    Looking at a thread's own clock costs a call of the system, and on a busy machine a turn of the
    processor; so the wall's is looked at first. No thread works longer than time goes by.
    """

    seconds: float
    soonest: float
    """The earliest end by the wall clock, of this limit or of one around it. It moves on while the
    thread waits for a busy machine."""
    until: float
    """The end by the thread's own clock."""
    outer: "_Watch | None"
    looks: int = 0

    def left(self) -> float:
        """Seconds of the thread's own time. Raises ``OverBudgetError`` where none are left."""
        left = self.until - work_time()
        if left < 0:
            raise OverBudgetError(Limit.SECONDS, self.seconds)
        return left


_WATCH: ContextVar[_Watch | None] = ContextVar("watch", default=None)
_EVERY = 16


class time_limit:  # noqa: N801 - a block, made as plainly as may be: every statement has one
    """Limits the work inside to this many seconds of its thread's time; ``keep_time`` checks it.

    Earlier limits around it stay in force.
    """

    __slots__ = ("_seconds", "_token")

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def __enter__(self) -> None:
        seconds, outer = self._seconds, _WATCH.get()
        soonest = perf_counter() + seconds
        if outer is not None and outer.soonest < soonest:
            soonest = outer.soonest
        self._token = _WATCH.set(_Watch(seconds, soonest, work_time() + seconds, outer))

    def __exit__(self, *raised: object) -> None:
        _WATCH.reset(self._token)


def keep_time(*, now: bool = False) -> None:
    """Raises ``OverBudgetError`` where the time is up. Called where work may pile up, in the
    innermost short loop; ``now`` reads the clock at once, after long work."""
    watch = _WATCH.get()
    if watch is None:
        return
    watch.looks += 1
    if (not now and watch.looks % _EVERY) or perf_counter() <= watch.soonest:
        return
    soonest, each = watch.left(), watch.outer
    while each is not None:
        soonest, each = min(soonest, each.left()), each.outer
    watch.soonest = perf_counter() + soonest
