"""Server and worker as processes: whom they believe, and what their logs hold."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.server.conftest import Keys
from tests.server.provider import AUDIENCE, ISSUER, KEY_SET, STRANGE_KEY, token
from tests.server.standing import ACME, BALANCE, GLOBEX
from veridical.answering.feature import Feature
from veridical.engines import Postgres
from veridical.server.identity import Role

pytestmark = [pytest.mark.postgres, pytest.mark.slow]

PATIENCE = 120.0
SECRET = f"vk_{'5ec1' * 4}_{'5ec2' * 16}"
TOML = f"""
[[features]]
name = "trustee"
database = "BOOKS"

[oidc]
issuer = "{ISSUER}"
audience = "{AUDIENCE}"
jwks_file = "keys.json"
"""
TALKING = f"""
import logging, threading, time

def talk():
    while not logging.getLogger().handlers:
        time.sleep(0.05)
    time.sleep(1)
    logging.getLogger("some.library").warning("sent Bearer {SECRET} to postgresql://a:hush@h/d")

threading.Thread(target=talk, daemon=True).start()
"""
"""A part of the process that says too much, as libraries do."""


@dataclass(frozen=True)
class Started:
    """A process, and the file with all that it says."""

    said: Path

    def until(self, found: Callable[[str], Any]) -> Any:
        """What is found in its words, once it is there."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if result := found(self.said.read_text()):
                return result
            time.sleep(0.1)
        raise AssertionError(self.said.read_text())


@contextmanager
def started(folder: Path, own: dict[str, str], *words: str) -> Generator[Started]:
    command = [str(Path(sys.executable).with_name("veridical")), *words]
    said = folder / "said.log"
    path = os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH"))))
    with said.open("w") as log:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, **own, "PYTHONPATH": path},
            stdout=log,
            stderr=log,
        )
    try:
        yield Started(said)
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0, said.read_text()
    finally:
        process.kill()
        process.wait()


@pytest.fixture
def own(own_database: tuple[str, Keys], trustee: Feature, tmp_path: Path) -> dict[str, str]:
    (tmp_path / "veridical.toml").write_text(TOML)
    (tmp_path / "keys.json").write_text(json.dumps(KEY_SET))
    (tmp_path / "sitecustomize.py").write_text(TALKING)
    database = trustee.engine.database
    assert isinstance(database, Postgres)
    books = database._pool.url.set(drivername="postgresql")  # pyright: ignore[reportPrivateUsage]
    return {
        "BOOKS": books.render_as_string(hide_password=False),
        "VERIDICAL_RUNS_DATABASE_URL": own_database[0],
    }


def _clean(said: str) -> bool:
    return "[redacted]" in said and "5ec2" not in said and "hush" not in said


def test_a_server_believes_its_provider_and_logs_no_secrets(
    own: dict[str, str], own_database: tuple[str, Keys], tmp_path: Path
) -> None:
    with started(tmp_path, own, "serve", "--port", "0") as server:
        address = server.until(lambda said: re.search(r"http://[\d.:]+", said))[0]
        asked = {"feature": "trustee", "question": BALANCE}

        def statuses(credential: str) -> tuple[int, int]:
            headers = {"authorization": f"Bearer {credential}"}
            with httpx2.Client(base_url=address, headers=headers, timeout=60) as client:
                read = client.get("/v1/runs")
                return read.status_code, client.post("/v1/ask", json=asked).status_code

        assert statuses(token(tenant=ACME, roles=["viewer"])) == (200, 403)
        assert statuses(token(tenant=GLOBEX, roles=["analyst"])) == (200, 200)
        assert statuses(own_database[1][ACME, Role.ANALYST]) == (200, 200)
        assert statuses(token(STRANGE_KEY, tenant=ACME, roles=["admin"])) == (401, 401)
        assert statuses(token(tenant="nobody", roles=["admin"], sub=SECRET)) == (401, 401)
        server.until(lambda said: "some.library" in said and "unknown tenant" in said)
    assert _clean(server.said.read_text()), server.said.read_text()


def test_a_worker_logs_no_secrets(own: dict[str, str], tmp_path: Path) -> None:
    with started(tmp_path, own, "worker") as worker:
        worker.until(lambda said: "some.library" in said and "takes runs" in said)
    assert _clean(worker.said.read_text()), worker.said.read_text()
