"""``veridical serve`` as an operator starts it, on a database with tenants and their keys."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.scripted_balances import CLIENT, PACK
from veridical.runs.dbos_setup import prepare_engine
from veridical.runs.settings import RunsSettings
from veridical.sample.postgres import LocalPostgres
from veridical.server.identity import Limits, Role
from veridical.server.keys import create_key
from veridical.server.tenants import create_tenant
from veridical.store.connection import Store
from veridical.store.migrate import upgrade

_PATIENCE = 300.0
_LAST_WORDS = 2000


@dataclass(frozen=True)
class Served:
    """A server at work."""

    process: "subprocess.Popen[bytes]"
    port: int

    @property
    def address(self) -> str:
        """Its URL."""
        return f"http://127.0.0.1:{self.port}"


def own_database(server: LocalPostgres, name: str) -> str:
    """A new database with the tables of the server and of the runs."""
    url = server.create_database(name)
    upgrade(url)
    prepare_engine(RunsSettings(database_url=url))
    return url


def analyst_keys(url: str, limits: Mapping[str, Limits]) -> dict[str, str]:
    """New tenants with these limits, all of which see the same books; the key of an analyst of
    each."""
    columns = next(iter(PACK.tenant_columns.values()))
    scope = {PACK.name: {column: (value,) for column, value in zip(columns, CLIENT, strict=True)}}
    store = Store(url)
    keys: dict[str, str] = {}
    for tenant, its_limits in limits.items():
        with store.operator() as connection:
            create_tenant(connection, tenant, tenant, scope, its_limits, actor="benchmark")
        with store.tenant(tenant) as connection:
            made = create_key(connection, tenant, "Ada", Role.ANALYST, actor="benchmark")
        keys[tenant] = made.key
    store.close()
    return keys


@contextmanager
def served(folder: Path, settings: str) -> Generator[Served]:
    """A server with these settings and a log in this folder, until the block ends."""
    (folder / "veridical.toml").write_text(settings, "utf-8")
    log = folder / "server.log"
    with log.open("w") as written:
        process = subprocess.Popen(
            [Path(sys.executable).with_name("veridical"), "serve", "--port", "0"],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=written,
            stderr=subprocess.STDOUT,
            env={**os.environ, "COLUMNS": "200"},
        )
    try:
        yield Served(process, _port(log, process))
    finally:
        process.terminate()
        try:
            process.wait(_PATIENCE)
        finally:
            process.kill()


def _port(log: Path, process: "subprocess.Popen[bytes]") -> int:
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until and process.poll() is None:
        if found := re.search(r"http://[\d.]+:(\d+)", log.read_text("utf-8", "replace")):
            return int(found[1])
        time.sleep(0.1)
    last_words = log.read_text("utf-8", "replace")[-_LAST_WORDS:]
    raise RuntimeError(f"the server did not start: {last_words}")
