"""The worst that is known to send, and what a search around it finds."""

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

from benchmarks.data import data_beside
from benchmarks.scripted_balances import PACK
from benchmarks.walls.heavy import heavy_statements

_LONGEST = 100_000
_PROSE = "The revenue of the northern region rose in May because three customers paid at last. "
GATED = (
    "1 " * 1000,
    "1 → " * 1000,
    "1万2亿" * 250,
    "\n" * 20_000,
    "1-2 " * 1000,
    (_PROSE * (_LONGEST // len(_PROSE))),
    " ".join(f"{number},{number % 1000:03d}.50" for number in range(1, 8_000))[:_LONGEST],
    "9" * 5_000,
    "| a | 1 |\n" * 5_000,
    "Rüegg AG, Keller GmbH and Huber AG " * 1_000,
)
_DATA = data_beside(__file__)
_PIECES: tuple[str, ...] = tuple(_DATA["pieces"])
SPILLING: tuple[str, ...] = tuple(_DATA["spilling"])
"""Statements that would have the database write to its disk, or the server hold a giant value."""
LARGE: tuple[str, ...] = tuple(_DATA["large"])
"""Statements with as many rows as one may have."""


class Sent(NamedTuple):
    """One hostile request."""

    path: str
    body: dict[str, Any]


def gated(chance: random.Random) -> Iterator[Sent]:
    """Answers that are slow to hold against evidence, without end."""
    while True:
        for answer in (*GATED, _searched(chance), _searched(chance)):
            rows = [
                {"n": number, "name": f"AG {number}"} for number in range(chance.choice((0, 500)))
            ]
            yield Sent("/v1/gate", {"answer": answer[:_LONGEST], "evidence": rows})
        yield Sent("/v1/gate", {"answer": "It was 7.", "evidence": list(range(120_000))})


def checked(chance: random.Random) -> Iterator[Sent]:
    """Statements that are slow to check, without end."""
    statements = _heavy_here()
    while True:
        call = {"tool": "executeSqlSafe", "sql": chance.choice(statements)}
        yield Sent("/v1/check", {"feature": PACK.name, "call": call})


def run_over_mcp(chance: random.Random) -> Iterator[Sent]:
    """Statements that are slow to check or to run, and results that are large, without end."""
    statements = _heavy_here()
    while True:
        yield called(chance.choice((*SPILLING, *LARGE, chance.choice(statements))))


def chatted(chance: random.Random) -> Iterator[Sent]:
    """Long questions in long conversations, half of them streamed, without end."""
    while True:
        messages: list[dict[str, str]] = []
        for _ in range(chance.choice((0, 3, 20))):
            said = chance.choice(GATED)[:8_000].strip() or "1"
            messages += [
                {"role": "user", "content": said},
                {"role": "assistant", "content": chance.choice(GATED)[:40_000].strip() or "1"},
            ]
        asked = chance.choice((*GATED, _searched(chance)))[:8_000].strip() or "1"
        messages.append({"role": "user", "content": asked})
        stream = chance.random() < 0.5
        body = {"model": f"veridical:{PACK.name}", "messages": messages, "stream": stream}
        yield Sent("/v1/chat/completions", body)


KINDS = (gated, checked, run_over_mcp, chatted)
"""Each without end, the same for the same chance."""


def called(sql: str) -> Sent:
    """A statement, run over MCP."""
    params = {"name": "executeSqlSafe", "arguments": {"sql": sql}}
    return Sent("/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})


def _heavy_here() -> list[str]:
    """With a table that there is."""
    return [sql.replace('"Account"', '"TrusteeDataAccount"') for _, sql in heavy_statements()]


def _searched(chance: random.Random) -> str:
    """A few pieces, repeated: what is slow is mostly slow because it repeats."""
    pieces = [chance.choice(_PIECES) for _ in range(chance.randint(1, 6))]
    between = chance.choice(("", " ", "\n"))
    unit = between.join(pieces) + between
    return (unit * (chance.choice((4_000, 20_000, _LONGEST)) // len(unit) + 1))[:_LONGEST]
