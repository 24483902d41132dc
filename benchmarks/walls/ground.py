"""A real server with default limits: ``veridical serve`` on its own PostgreSQL, and its sizes."""

import signal
import subprocess
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import psutil

from benchmarks.scripted_balances import PACK
from benchmarks.served import analyst_keys, own_database, served
from benchmarks.walls.worst import KINDS, SPILLING
from veridical.sample.books import READER, load_sample
from veridical.sample.postgres import local_postgres
from veridical.server.identity import DEFAULT_LIMITS, Limits


class Size(NamedTuple):
    """How much of everything."""

    statements: int
    """Hidden calls and their twins that are checked in this process, all dialects together."""
    raw: int
    """Statements that carry raw text, run on two databases of each engine."""
    asks: int
    """Of the victim, alone and again beside the attack."""
    phases: int
    """Into which both are divided, in turn."""
    pause: float
    """Seconds between two questions: a tenant has so many in a minute."""
    warming: float
    """Seconds of attack that nobody measures."""
    lines: int
    """Hostile connections of each kind."""
    watchers: int
    """Hostile streams that are held open."""
    hidden: int
    """Statements that are sent to the server."""
    slow: int
    spilling: int

    @property
    def lines_of_all_kinds(self) -> int:
        """Hostile connections that send one request after the other."""
        return self.lines * len(KINDS)


FULL = Size(
    statements=1_000_000,
    raw=35_000,
    asks=240,
    phases=4,
    pause=0.1,
    warming=10,
    lines=8,
    watchers=150,
    hidden=400,
    slow=1_200,
    spilling=len(SPILLING),
)
SMOKE = Size(
    statements=400,
    raw=700,
    asks=20,
    phases=2,
    pause=0.05,
    warming=2,
    lines=2,
    watchers=10,
    hidden=8,
    slow=20,
    spilling=1,
)


ATTACKER, VICTIM, MEASURER = "attacker", "victim", "measurer"
_LIMITS = {
    ATTACKER: DEFAULT_LIMITS,
    VICTIM: DEFAULT_LIMITS,
    MEASURER: Limits(per_minute=1_000_000),
}
"""Whoever only counts verdicts is not to be counted."""
_PATIENCE = 180.0
_MB = 1024 * 1024


@dataclass(frozen=True)
class Ground:
    """A running server, and what is known of it."""

    process: "subprocess.Popen[bytes]"
    port: int
    keys: dict[str, str]
    """By tenant: the key of an analyst."""
    books_url: str

    def memory_mb(self) -> float:
        """What the server and all its processes hold now."""
        top = psutil.Process(self.process.pid)
        found = 0
        for each in (top, *top.children(recursive=True)):
            try:
                found += each.memory_info().rss
            except psutil.NoSuchProcess:
                continue
        return found / _MB

    def stop_seconds(self) -> float:
        """How long it takes to stop, once it is asked to."""
        began = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(_PATIENCE)
        return time.monotonic() - began


@contextmanager
def open_ground(folder: Path) -> Generator[Ground]:
    """All of it in this folder, until the block ends."""
    folder.chmod(0o755)  # the user that PostgreSQL runs as must reach it
    with local_postgres(folder / "pg") as server:
        own = own_database(server, "own")
        books = load_sample(PACK, server).url
        keys = analyst_keys(own, _LIMITS)
        settings = (
            f'[[features]]\nname = "{PACK.name}"\ndatabase = "{books}"\nrole = "{READER}"\n'
            f'[runs]\ndatabase_url = "{own}"\n'
        )
        with served(folder, settings) as started:
            yield Ground(started.process, started.port, keys, books)
