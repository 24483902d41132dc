"""The walls under attack: a real server with two tenants, one of which is hostile.

    python -m benchmarks.walls --json

``bypasses`` are functions and types hidden in statements that pass the check, here and at the
server's ``/v1/check``. ``victim_p95_ratio`` is the 95th percentile of a tenant's known questions
while the other tenant sends the worst it can to the gate, the check, MCP and the chat, and holds
streams open, ÷ the same alone; ``health_p95_ms`` is ``/health/live`` meanwhile, ``peak_rss_mb`` how
much the memory of the server and its processes grew. ``temp_mb`` is the most that one hostile
statement had PostgreSQL write to temporary files. ``unauthenticated_parsed`` counts bodies that
were read for nobody, ``slow_connections_held`` connections without a request that are open after
their time, ``stop_seconds`` is how long the server took to stop in the middle of it.

Limits are the defaults. The last line printed is one JSON object. Where a wall let something
through, the command fails; how long things take fails nothing.
"""

import argparse
import json
import logging
import sys
import tempfile
import time
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import psycopg
from rich.console import Console

from benchmarks.scripted_balances import PACK
from benchmarks.server_load.script import known_questions
from benchmarks.walls.asking import Asker, Times, attacking, beside
from benchmarks.walls.bypasses import hidden_in, run
from benchmarks.walls.ground import ATTACKER, MEASURER, VICTIM, Ground, open_ground
from benchmarks.walls.strangers import SlowLines, unauthenticated
from benchmarks.walls.worst import SPILLING, Sent, called, endless
from veridical.server.settings import ServerSettings

MUST_BE_ZERO = ("bypasses", "unauthenticated_parsed", "slow_connections_held")
_TEMPORARY = "SELECT coalesce(sum(temp_bytes), 0) FROM pg_stat_database"
_MB = 1024 * 1024


class Size(NamedTuple):
    """How much of everything."""

    asks: int
    pause: float
    """Seconds between two questions: a tenant has so many in a minute."""
    attackers: int
    hidden: int
    """Statements that are sent to the server."""
    slow: int
    spilling: int


FULL = Size(asks=250, pause=0.12, attackers=8, hidden=400, slow=1_200, spilling=len(SPILLING))
SMOKE = Size(asks=25, pause=0.05, attackers=4, hidden=25, slow=60, spilling=2)


def figures(size: Size, seed: int = 1) -> dict[str, Any]:
    """All of them."""
    logging.getLogger("veridical").setLevel(logging.ERROR)
    console = Console(file=sys.stderr)
    with console.status("bypasses"):
        found = run(seed)
    with tempfile.TemporaryDirectory(prefix="vwalls-") as scratch, open_ground(Path(scratch)) as at:
        slow = SlowLines(at.port, size.slow)
        for name, part in PARTS.items():
            with console.status(name):
                told = part(at, size, seed)
            found["bypasses"] += told.pop("bypasses", 0)
            found |= told
        patience = ServerSettings().header_seconds + 5
        found |= {"slow_connections": slow.count, "slow_connections_held": slow.held(patience)}
        with beside(_busy(at)):
            time.sleep(1)
            found["stop_seconds"] = round(at.stop_seconds(), 1)
    return found


def hidden(at: Ground, size: Size, seed: int) -> dict[str, Any]:
    """Hidden calls at the server itself."""
    asker, passed = Asker(at.port, at.keys[MEASURER]), 0
    everything = hidden_in("postgres", seed)
    statements = everything[:: max(1, len(everything) // size.hidden)]
    for sql in statements:
        call = {"tool": "executeSqlSafe", "sql": sql}
        status, body = asker.send(Sent("/v1/check", {"feature": PACK.name, "call": call}))
        passed += status == 200 and json.loads(body)["success"]
    asker.close()
    return {"bypasses": passed, "server_statements": len(statements)}


def strangers(at: Ground, size: Size, seed: int) -> dict[str, Any]:
    """Bodies of those who show no credential."""
    return unauthenticated(at.port)


def spilled(at: Ground, size: Size, seed: int) -> dict[str, Any]:
    """What one hostile statement has the database write."""
    asker, most = Asker(at.port, at.keys[MEASURER]), 0
    with psycopg.connect(at.books_url, autocommit=True) as connection:
        for sql in SPILLING[: size.spilling]:
            before = _temporary(connection)
            asker.send(called(sql))
            time.sleep(1.2)  # the database tells of it with a delay
            most = max(most, _temporary(connection) - before)
    asker.close()
    return {"temp_mb": round(most / _MB, 1), "spilling_statements": size.spilling}


def _temporary(connection: "psycopg.Connection[Any]") -> int:
    row = connection.execute(_TEMPORARY).fetchone()
    assert row is not None
    return int(row[0])


def attack(at: Ground, size: Size, seed: int) -> dict[str, Any]:
    """A tenant's questions alone and beside the attack, and what it does to the server."""
    questions = [known.text for known in known_questions()]
    asker = Asker(at.port, at.keys[VICTIM])
    _ask(asker, Times(), questions[:10], 0)
    alone, during, health, told = Times(), Times(), Times(), Counter[str]()
    _ask(asker, alone, questions[10 : 10 + size.asks], size.pause)
    before = peak = at.memory_mb()
    requests = endless(seed)

    def watch(goes_on: Any) -> None:
        nonlocal peak
        looker = Asker(at.port)
        while goes_on():
            health.take(partial(looker.send, None, "/health/live"))
            peak = max(peak, at.memory_mb())
            time.sleep(0.05)
        looker.close()

    attackers = [attacking(at.port, at.keys[ATTACKER], requests, told)] * size.attackers
    with beside(watch, *attackers):
        time.sleep(2)
        _ask(asker, during, questions[10 + size.asks : 10 + 2 * size.asks], size.pause)
    asker.close()
    return {
        "victim_p95_ratio": round(during.p95_ms / alone.p95_ms, 2),
        "victim_p95_ms_alone": alone.p95_ms,
        "victim_p95_ms_beside": during.p95_ms,
        "victim_statuses": dict(alone.statuses + during.statuses),
        "health_p95_ms": health.p95_ms,
        "health_looks": len(health.seconds),
        "peak_rss_mb": round(peak - before, 1),
        "start_rss_mb": round(before, 1),
        "hostile_requests": sum(told.values()),
        "hostile_statuses": dict(sorted(told.items())),
    }


def _ask(asker: Asker, times: Times, questions: list[str], pause: float) -> None:
    for question in questions:
        body = {"feature": PACK.name, "question": question}
        times.take(partial(asker.send, Sent("/v1/ask", body)))
        time.sleep(pause)


def _busy(at: Ground) -> Any:
    """One who keeps the gate and the database at work."""
    return attacking(at.port, at.keys[ATTACKER], endless(2), Counter[str]())


PARTS = {"strangers": strangers, "hidden": hidden, "attack": attack, "spilled": spilled}


def main() -> None:
    """Print the figures; the last line is one JSON object."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", action="store_true", help="print the JSON object only")
    parser.add_argument("--smoke", action="store_true", help="little of it: does it work at all")
    parser.add_argument("--seed", type=int, default=1, help="another attack of the same kind")
    options = parser.parse_args()
    found = figures(SMOKE if options.smoke else FULL, options.seed)
    if not options.json:
        for name, value in found.items():
            print(f"{name:24} {value}")
    print(json.dumps(found))
    if broken := [name for name in MUST_BE_ZERO if found.get(name)]:
        sys.exit(f"not zero: {', '.join(broken)}")


if __name__ == "__main__":
    main()
