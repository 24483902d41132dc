"""The walls under attack: a real server with two tenants, one of which is hostile.

    python -m benchmarks.walls --json

``bypasses`` are functions and types hidden in statements that pass the check, here and at the
server's ``/v1/check``, and statements with raw text in odd places that show another tenant's rows,
each run on two databases of its engine. ``planted`` are emitters that are broken on purpose,
``planted_caught`` those whose every statement was stopped before it ran. ``victim_p95_ratio`` is
the 95th percentile of a tenant's known questions while the other tenant sends the worst it can to
the gate, the check, MCP and the chat, on many connections at once, and holds streams
open, ÷ the same alone, in turn; ``health_p95_ms`` is
``/health/live`` meanwhile, ``peak_rss_mb`` how much the memory of the server and its processes
grew. ``temp_mb`` is the most that one hostile statement had PostgreSQL write to temporary files.
``unauthenticated_parsed`` counts bodies that were read for nobody, ``slow_connections_held``
connections without a request that are open after their time, ``stop_seconds`` is how long the
server took to stop in the middle of it.

Limits are the defaults. ``--smoke`` takes a sample of everything. The last line printed is one JSON
object. Where a wall let something through, the command fails; how long things take fails nothing.
"""

import json
import logging
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import psycopg
from rich.console import Console

from benchmarks.command import command, show
from benchmarks.scripted_balances import PACK
from benchmarks.walls import injected
from benchmarks.walls import planted as broken_emitters
from benchmarks.walls.asking import Asker
from benchmarks.walls.attackers import attack
from benchmarks.walls.bypasses import hidden_in, run
from benchmarks.walls.ground import ATTACKER, FULL, MEASURER, SMOKE, Ground, Size, open_ground
from benchmarks.walls.strangers import SlowLines, unauthenticated
from benchmarks.walls.victim import attacked
from benchmarks.walls.worst import SPILLING, Sent, called
from veridical.server.settings import ServerSettings

MUST_BE_ZERO = ("bypasses", "unauthenticated_parsed", "slow_connections_held")
_TEMPORARY = "SELECT coalesce(sum(temp_bytes), 0) FROM pg_stat_database"
_MB = 1024 * 1024


def figures(size: Size, seed: int = 1, parts: Sequence[str] = ()) -> dict[str, Any]:
    """All of them, or those of some parts."""
    logging.getLogger("veridical").setLevel(logging.ERROR)
    logging.getLogger("veridical.statement").setLevel(logging.CRITICAL)  # defects on purpose
    console = Console(file=sys.stderr)
    found: dict[str, Any] = {"bypasses": 0}
    wanted = [name for name in PARTS if not parts or name in parts]
    with tempfile.TemporaryDirectory(prefix="vwalls-") as scratch, open_ground(Path(scratch)) as at:
        for name in wanted:
            with console.status(name):
                told = PARTS[name](at, size, seed)
            told["bypasses"] = found["bypasses"] + told.get("bypasses", 0)
            found |= told
    return found


def bypasses(at: Ground, size: Size, seed: int) -> dict[str, Any]:
    """Hidden calls in this process, in every dialect."""
    return run(seed, size.statements)


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


def raw(at: Ground, size: Size, seed: int) -> dict[str, Any]:
    """SQL in places whose text a grammar may hand on, run for real on every engine."""
    with tempfile.TemporaryDirectory(prefix="vraw-") as scratch:
        Path(scratch).chmod(0o755)  # the user that PostgreSQL runs as must reach it
        return injected.run(Path(scratch), seed, size.raw)


def planted(at: Ground, size: Size, seed: int) -> dict[str, Any]:
    """Emitters that are broken on purpose."""
    return broken_emitters.run()


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


def slow(at: Ground, size: Size, seed: int) -> dict[str, Any]:
    """Connections that never come to a request."""
    lines = SlowLines(at.port, size.slow)
    held = lines.held(ServerSettings().header_seconds + 5)
    return {"slow_connections": lines.count, "slow_connections_held": held}


def stopped(at: Ground, size: Size, seed: int) -> dict[str, Any]:
    """How long the server takes to stop while all attackers are at work; it is gone then."""
    with attack(at.port, at.keys[ATTACKER], seed + 1, size.lines, size.watchers) as hostile:
        hostile.on()
        time.sleep(1)
        return {"stop_seconds": round(at.stop_seconds(), 1)}


PARTS: Mapping[str, Callable[[Ground, Size, int], dict[str, Any]]] = {
    "bypasses": bypasses,
    "planted": planted,
    "raw": raw,
    "strangers": strangers,
    "hidden": hidden,
    "spilled": spilled,
    "slow": slow,
    "attacked": attacked,
    "stopped": stopped,
}


def main() -> None:
    """Print the figures; the last line is one JSON object."""
    parser = command(__doc__, smoke="little of it: does it work at all")
    parser.add_argument("--only", action="append", choices=list(PARTS), help="a part of it")
    parser.add_argument("--seed", type=int, default=1, help="another attack of the same kind")
    options = parser.parse_args()
    found = figures(SMOKE if options.smoke else FULL, options.seed, tuple(options.only or ()))
    show(found, options, MUST_BE_ZERO)
    if found.get("planted_missed"):
        sys.exit("a broken emitter was not stopped")


if __name__ == "__main__":
    main()
