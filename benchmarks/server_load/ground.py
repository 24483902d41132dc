"""What all processes share: a PostgreSQL that writes to disk, tenants with keys, how much load."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from benchmarks.scripted_balances import PACK
from benchmarks.served import analyst_keys, own_database
from veridical.contracts.wire import Wire
from veridical.runs.settings import RunsSettings
from veridical.sample.books import load_sample
from veridical.sample.postgres import local_postgres
from veridical.server.identity import Limits


class Size(NamedTuple):
    """One size of the benchmark."""

    watchers: int
    """Streams that are open at the same time."""
    watched_runs: int
    waves: int
    """How often all watchers come, with new runs each time."""
    ask_turns: int
    asks: int
    """Questions in one turn."""
    run_turns: int
    runs: int
    """Runs in one turn."""
    flood: int
    """Runs of the tenant that floods the queue."""
    small_runs: int
    """Runs of the small tenant, alone and beside the flood."""
    patience_seconds: float = 300.0
    """How long any single part may take."""


FULL = Size(
    watchers=400,
    watched_runs=100,
    waves=3,
    ask_turns=20,
    asks=100,
    run_turns=10,
    runs=60,
    flood=500,
    small_runs=40,
)
SMOKE = Size(
    watchers=10,
    watched_runs=4,
    waves=1,
    ask_turns=2,
    asks=6,
    run_turns=2,
    runs=3,
    flood=10,
    small_runs=2,
    patience_seconds=180.0,
)


class Orders(Wire):
    """Where the data is, and how much goes on at once."""

    runs_url: str
    """The database of the runs; that of the bare engine for what is measured beside it."""
    books_url: str
    tenant_concurrency: int = 8

    @property
    def settings(self) -> RunsSettings:
        """The settings of the runs."""
        return RunsSettings(
            database_url=self.runs_url,
            tenant_concurrency=self.tenant_concurrency,
            poll_seconds=0.1,
        )


FLOODING, SMALL = "flooding", "small"
TENANTS = (FLOODING, SMALL, "third")
_PLENTY = Limits(per_minute=10_000_000)


@dataclass(frozen=True)
class Ground:
    """A running server with everything that the processes need."""

    folder: Path
    """For the logs of the processes."""
    orders: Orders
    bare_orders: Orders
    """The same on a database in which only DBOS works."""
    keys: dict[str, str]
    """By tenant: the key of an analyst."""

    @property
    def settings(self) -> str:
        """The settings file of ``veridical serve`` on the same databases."""
        feature = f'[[features]]\nname = "{PACK.name}"\ndatabase = "{self.orders.books_url}"\n'
        return f'{feature}[runs]\ndatabase_url = "{self.orders.runs_url}"\n'


@contextmanager
def open_ground(folder: Path) -> Generator[Ground]:
    """A new server in this folder."""
    folder.chmod(0o755)  # the user that PostgreSQL runs as must reach it
    with local_postgres(folder / "pg") as server:
        runs_url, bare_url = (own_database(server, name) for name in ("runs", "bare"))
        books_url = load_sample(PACK, server).url
        yield Ground(
            folder,
            Orders(runs_url=runs_url, books_url=books_url),
            Orders(runs_url=bare_url, books_url=books_url),
            analyst_keys(runs_url, dict.fromkeys(TENANTS, _PLENTY)),
        )
