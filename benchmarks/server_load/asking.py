"""What a known question costs over HTTP, beside FastAPI with the same SQL."""

import json
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from itertools import cycle, islice
from math import nan
from statistics import median
from time import perf_counter
from typing import Any

from benchmarks.scripted_balances import PACK
from benchmarks.server_load.comparison import each_ms, ratio
from benchmarks.server_load.ground import SMALL, Ground, Size
from benchmarks.server_load.line import Line, open_line
from benchmarks.server_load.processes import Started, started
from benchmarks.server_load.script import Known, known_questions
from veridical.contracts.answer import AnswerKind

_WARM_UP = 50


@dataclass(frozen=True)
class Side:
    """One of the two that are compared: a server, and how it is asked."""

    server: Started
    ask: Callable[[Line, Known], bytes]
    key: str = ""
    seconds: list[float] = field(default_factory=list[float])
    cpu_seconds: list[float] = field(default_factory=list[float])

    def take_turn(self, questions: Iterable[Known]) -> None:
        """One question after the other, on one connection."""
        used, begun = self.server.cpu_seconds(), perf_counter()
        with self.line() as line:
            for known in questions:
                self.ask(line, known)
        self.seconds.append(perf_counter() - begun)
        self.cpu_seconds.append(self.server.cpu_seconds() - used)

    def line(self) -> AbstractContextManager[Line]:
        """A new connection."""
        return open_line(self.server.port, self.key)


def asking(ground: Ground, size: Size) -> dict[str, Any]:
    """Both servers asked in turns by one client; each begins every second turn."""
    with (
        started("serving", ground.orders, ground.folder) as server,
        started("bare_serving", ground.orders, ground.folder) as bare_server,
    ):
        ours, bare = Side(server, _ask, ground.keys[SMALL]), Side(bare_server, _ask_bare)
        _must_agree(ours, bare)
        asked = cycle(known_questions()[_WARM_UP:])
        for turn in range(size.ask_turns):
            questions = list(islice(asked, size.asks))
            for side in (ours, bare) if turn % 2 else (bare, ours):
                side.take_turn(questions)
    return {
        "http_ratio": ratio(ours.seconds, bare.seconds),
        "http_cpu_ratio": round(sum(ours.cpu_seconds) / (sum(bare.cpu_seconds) or nan), 3),
        "ask_ms": each_ms(ours.seconds, size.asks),
        "bare_ask_ms": each_ms(bare.seconds, size.asks),
        "ask_cpu_ms": each_ms(ours.cpu_seconds, size.asks),
        "bare_ask_cpu_ms": each_ms(bare.cpu_seconds, size.asks),
        "asks_per_second": round(size.asks / median(ours.seconds), 1),
        "bare_asks_per_second": round(size.asks / median(bare.seconds), 1),
    }


def _ask(line: Line, known: Known) -> bytes:
    return line.post("/v1/ask", {"feature": PACK.name, "question": known.text})


def _ask_bare(line: Line, known: Known) -> bytes:
    return line.post("/ask", known._asdict())


def _must_agree(ours: Side, bare: Side) -> None:
    """Both are warm, and find the same rows."""
    with ours.line() as line, bare.line() as bare_line:
        for known in known_questions()[:_WARM_UP]:
            answer = json.loads(ours.ask(line, known))
            rows = json.loads(bare.ask(bare_line, known))["rows"]
            if answer["kind"] != AnswerKind.PATTERN or answer["sources"][0]["rows"] != rows:
                raise RuntimeError(f"{known.text} was not answered as it should be")
