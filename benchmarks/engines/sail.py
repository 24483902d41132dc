"""A real Sail for tests: its Flight SQL server as a cluster in one process, on the loopback."""

import subprocess  # for tests
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from adbc_driver_flightsql import dbapi

from benchmarks.engines.started import free_port, started

_PATIENCE = 30.0
_SETTINGS = {"SAIL_MODE": "local-cluster", "TOKIO_WORKER_THREADS": "8"}
"""With so many threads: a cancelled statement may keep some of them busy: the others answer."""


@dataclass(frozen=True, slots=True)
class LocalSail:
    """A running server. It knows no accounts: who reaches it may do everything."""

    port: int
    folder: Path
    """For the files of its tables."""

    def url_of(self, database: str) -> str:
        """The address of a database."""
        return f"flightsql://127.0.0.1:{self.port}/{database}"

    @contextmanager
    def owner(self) -> Generator[Any]:
        """A connection; the server has but one session for all."""
        with dbapi.connect(f"grpc://127.0.0.1:{self.port}", autocommit=True) as connection:
            yield connection

    def run(self, *statements: str) -> None:
        """Runs statements that return nothing of interest."""
        with self.owner() as connection, connection.cursor() as cursor:
            for each in statements:
                cursor.execute(each)
                cursor.fetch_arrow_table()


@contextmanager
def local_sail() -> Generator[LocalSail]:
    """A server that runs until the block ends."""
    with TemporaryDirectory(prefix="veridical-sail-") as name:
        folder = Path(name)
        port = free_port()
        program = Path(sys.executable).with_name("sail")
        command = (str(program), "flight", "server", "--port", str(port), "-C", name)
        with started(command, folder / "log", _SETTINGS) as process:
            server = LocalSail(port, folder)
            _wait(server, process)
            yield server


def _wait(server: LocalSail, process: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline and process.poll() is None:
        try:
            server.run("SELECT 1")
        except dbapi.Error:
            time.sleep(0.1)
        else:
            return
    raise RuntimeError((server.folder / "log").read_text("utf-8", "replace")[-400:])
