"""What the units start, started for real: under the logins of a deployment, with its settings."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copy
from typing import Any

import httpx2
import pytest

from tests.deploy.conftest import AddressOf, run_script
from tests.deploy.pgbouncer import pgbouncer
from tests.deploy.places import DEPLOY
from tests.runs.asked import BALANCE
from tests.sample import PACK
from veridical.sample.books import load_sample
from veridical.sample.postgres import LocalPostgres
from veridical.server.identity import Role
from veridical.server.keys import create_key
from veridical.server.tenants import create_tenant
from veridical.store.connection import Store

pytestmark = [pytest.mark.postgres, pytest.mark.slow]
TENANT = "units"
SCOPE = {"trustee": {"mandateId": ("m-001",), "featureInstanceId": ("m-001-a",)}}
PATIENCE = 240.0
Found = Callable[[], Any]


@pytest.fixture(scope="module")
def key(migrated: AddressOf) -> Iterator[str]:
    store = Store(migrated("veridical_owner"), connections=1)
    with store.operator() as connection:
        create_tenant(connection, TENANT, TENANT, SCOPE, actor="test")
        made = create_key(connection, TENANT, "somebody", Role.ANALYST, actor="test")
    yield made.key
    store.close()


@contextmanager
def _started(unit: str, folder: Path, environment: dict[str, str]) -> Generator[Path]:
    """The unit's command, asked to stop at the end; where it tells what it does."""
    text = (DEPLOY / "systemd" / unit).read_text("utf-8")
    (command,) = re.findall(r"^ExecStart=/opt/veridical/bin/veridical (.*)$", text, re.M)
    program = Path(sys.executable).with_name("veridical")
    told = folder / f"{unit}.log"
    with told.open("w") as log:
        process = subprocess.Popen(
            [program, *command.split()],
            cwd=folder,
            env={**os.environ, **environment},
            stdout=log,
            stderr=log,
        )
    try:
        yield told
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0, told.read_text()
    finally:
        process.kill()
        process.wait()


def _until(found: Found, told: Path) -> Any:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            if result := found():
                return result
        except httpx2.HTTPError:
            pass
        time.sleep(0.2)
    raise AssertionError(told.read_text())


@pytest.fixture(params=["straight", "through PgBouncer"])
def ways(
    request: pytest.FixtureRequest, migrated: AddressOf, postgres_server: LocalPostgres
) -> Iterator[dict[str, dict[str, str]]]:
    """How the processes of each login reach Veridical's own database: a part of their
    environment."""
    at = "VERIDICAL_RUNS_DATABASE_URL"
    if request.param == "straight":
        yield {login: {at: migrated(login)} for login in ("veridical_server", "veridical_work")}
        return
    secret = {"VERIDICAL_ENGINE_PASSWORD": "of the test"}
    for _ in range(2):  # may be run again
        done = run_script(postgres_server.url, secret, "pgbouncer.sql")
        assert (done.returncode, done.stderr) == (0, "")
    logins = ("veridical_server", "veridical_work", "veridical_engine")
    with pgbouncer(migrated("veridical_owner"), dict.fromkeys(logins, "of the test")) as through:
        pooled = {"VERIDICAL_RUNS_PGBOUNCER": "true"}
        engine = {"VERIDICAL_RUNS_DBOS_URL": through["veridical_engine"]}
        yield {
            "veridical_server": {at: through["veridical_server"], **pooled},
            "veridical_work": {at: through["veridical_work"], **pooled, **engine},
        }


def test_server_and_worker_do_their_work(
    ways: dict[str, dict[str, str]], postgres_server: LocalPostgres, key: str, tmp_path: Path
) -> None:
    copy(DEPLOY / "veridical.toml", tmp_path)
    common = {
        "BOOKS_DATABASE_URL": load_sample(PACK, postgres_server).url,
        "VERIDICAL_API_KEY": "no-model-is-asked-here",
        "VERIDICAL_SERVER_PORT": "0",
        "VERIDICAL_SERVER_READY_NEEDS_WORKERS": "true",
    }
    at = {login: {**common, **way} for login, way in ways.items()}
    with (
        _started("veridical-server.service", tmp_path, at["veridical_server"]) as served,
        _started("veridical-worker@.service", tmp_path, at["veridical_work"]) as worked,
    ):
        place = _until(lambda: re.search(r"http://[\d.:]+", served.read_text()), served)[0]
        with httpx2.Client(base_url=place, headers={"authorization": f"Bearer {key}"}) as client:
            _until(lambda: client.get("/health/ready").status_code == 200, served)
            asked = {"feature": "trustee", "question": BALANCE}
            given = client.post("/v1/ask", json=asked).json()
            assert given["kind"] == "pattern"
            run = client.post("/v1/runs", json=asked).headers["location"]
            assert "event: answered" in client.get(f"{run}/events", timeout=PATIENCE).text
            _until(lambda: client.get(run).json()["status"] == "done", worked)
            assert client.get(run).json()["answer"]["text"] == given["text"]
            assert "veridical_workers_alive 1.0" in client.get("/metrics").text
