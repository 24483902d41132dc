"""The whole server in a process of its own, stopped as an operating system stops it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest

from tests.server.standing import ACME, BALANCE, Standing
from veridical.ontology.pack import load_pack
from veridical.sample.books import READER, load_sample
from veridical.sample.postgres import LocalPostgres
from veridical.server.identity import Role
from veridical.server.listener import AddressUnavailableError, open_socket
from veridical.server.settings import ServerSettings

PATIENCE = 60.0


def test_a_place_that_is_taken_is_told() -> None:
    with open_socket(ServerSettings(port=0)) as taken:
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(AddressUnavailableError):
            open_socket(ServerSettings(port=port))


def test_a_host_that_is_none_is_told() -> None:
    with pytest.raises(AddressUnavailableError):
        open_socket(ServerSettings(host="no such host.invalid"))


@contextmanager
def _serving(folder: Path, own: str, books: str) -> Generator[tuple[str, subprocess.Popen[str]]]:
    """``veridical serve`` with the settings of a folder."""
    (folder / "veridical.toml").write_text(
        f'[[features]]\nname = "trustee"\ndatabase = "{books}"\nrole = "{READER}"\n'
        f'[runs]\ndatabase_url = "{own}"\n[server]\nport = 0\n'
    )
    command = [Path(sys.executable).with_name("veridical"), "serve"]
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, text=True, env={**os.environ, "COLUMNS": "200"}
    ) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().split()[-1], process
        finally:
            process.kill()


@pytest.mark.postgres
@pytest.mark.slow
def test_a_server_that_is_told_to_stop_leaves_nothing_behind(
    tmp_path: Path, postgres_server: LocalPostgres, server: Standing
) -> None:
    own, keys = server.services.runs.settings.database_url, server.keys
    books = load_sample(load_pack("trustee"), postgres_server).url
    headers = {"authorization": f"Bearer {keys[ACME, Role.ANALYST]}"}
    with (
        _serving(tmp_path, own, books) as (address, process),
        httpx2.Client(base_url=address, headers=headers, timeout=PATIENCE) as client,
    ):
        asked = {"feature": "trustee", "question": BALANCE}
        waits = {**asked, "approvals": {"evidence": True}}  # whether or not somebody works on it
        run_id = client.post("/v1/runs", json=waits).json()["runId"]
        trace_id = client.post("/v1/ask", json=asked).json()["traceId"]
        with client.stream("GET", f"/v1/runs/{run_id}/events") as stream:
            parts = stream.iter_text()
            first = next(parts)
            begun = time.monotonic()
            process.send_signal(signal.SIGTERM)
            rest = "".join(parts)
        assert process.wait(PATIENCE) == 0
    assert first.startswith("retry: ")
    assert "the server is closing" in rest
    assert rest.rstrip().endswith("retry: 2000")
    assert time.monotonic() - begun < PATIENCE / 2
    with server.client() as client:
        assert client.get(f"/v1/traces/{trace_id}").json()["events"][-1]["kind"] == "answered"
        client.post(f"/v1/runs/{run_id}/cancel")
