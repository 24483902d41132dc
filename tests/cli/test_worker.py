"""The worker as a command: it answers runs, says what is missing, and ends when asked."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.runs.asked import asked, away
from tests.runs.conftest import TENANT, prepared, runs, runs_url, settings, store, trustee
from veridical.answering.feature import Feature
from veridical.cli.main import app
from veridical.engines import Postgres
from veridical.runs.port import Runs
from veridical.runs.state import RunStatus

__all__ = ["prepared", "runs", "runs_url", "settings", "store", "trustee"]

pytestmark = pytest.mark.postgres

PATIENCE = 120.0
TOML = """
[[features]]
name = "trustee"
database = "BOOKS"

[runs]
poll_seconds = 0.1
"""


@dataclass(frozen=True)
class Ready:
    """All that a worker needs."""

    folder: Path
    books: str
    runs: str

    def worker(self) -> "subprocess.Popen[str]":
        """One that has just been started."""
        command = [str(Path(sys.executable).with_name("veridical")), "worker", "--concurrency", "2"]
        own = {"BOOKS": self.books, "VERIDICAL_RUNS_DATABASE_URL": self.runs}
        return subprocess.Popen(
            command,
            cwd=self.folder,
            env={**os.environ, **own},
            stderr=subprocess.PIPE,
            text=True,
        )


@pytest.fixture
def ready(runs_url: str, trustee: Feature, tmp_path: Path) -> Ready:
    (tmp_path / "veridical.toml").write_text(TOML)
    database = trustee.engine.database
    assert isinstance(database, Postgres)
    books = database._pool.url.set(drivername="postgresql")  # pyright: ignore[reportPrivateUsage]
    return Ready(tmp_path, books.render_as_string(hide_password=False), runs_url)


def ended(worker: "subprocess.Popen[str]") -> str:
    """What it said until it was asked to end, and did."""
    worker.send_signal(signal.SIGTERM)
    _, said = worker.communicate(timeout=PATIENCE)
    assert worker.returncode == 0
    return said


def wait_until_done(runs: Runs, run_id: str, worker: "subprocess.Popen[str]") -> None:
    end = time.monotonic() + PATIENCE
    while not (state := runs.state(run_id, TENANT)) or not state.status.is_final:
        assert time.monotonic() < end
        assert worker.poll() is None
        time.sleep(0.1)
    assert state.status is RunStatus.DONE


@pytest.mark.slow
def test_it_answers_runs_until_it_is_asked_to_end(runs: Runs, ready: Ready) -> None:
    run_id = runs.start(asked(), TENANT, "Ada").run_id
    worker = ready.worker()
    try:
        wait_until_done(runs, run_id, worker)
        said = ended(worker)
    finally:
        worker.kill()
    assert "trustee" in said
    assert "has stopped" in said
    assert runs.load().workers == 0


@pytest.mark.slow
def test_it_waits_for_a_database_that_is_away_and_says_so(runs: Runs, ready: Ready) -> None:
    run_id = runs.start(asked(), TENANT, "Ada").run_id
    with away(ready.runs):
        worker = ready.worker()
        assert worker.stderr is not None
        said = iter(worker.stderr.readline, "")
        assert any("waiting for its database" in line for line in said)
        assert worker.poll() is None
    try:
        wait_until_done(runs, run_id, worker)
        ended(worker)
    finally:
        worker.kill()


@pytest.mark.slow
def test_it_can_be_asked_to_end_while_it_waits(ready: Ready) -> None:
    worker = replace(ready, runs="postgresql:///gone?host=/nowhere").worker()
    try:
        assert worker.stderr is not None
        line = worker.stderr.readline()
        assert "waiting for its database" in line
        assert "has stopped" in ended(worker)
    finally:
        worker.kill()


def test_a_database_that_was_not_upgraded_is_told(
    postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, ["worker", "--database", postgres_url])
    assert result.exit_code == 2
    assert "db upgrade" in result.output


def test_what_is_no_address_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, ["worker", "--database", "mysql://gone/runs"])
    assert result.exit_code == 2
    assert "not the address of a PostgreSQL database" in " ".join(result.output.split())
    german = ["worker", "--language", "de", "--database", "mysql://gone/runs"]
    assert "keine Adresse" in CliRunner().invoke(app, german).output


def test_without_a_database_it_says_how_to_name_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("VERIDICAL_RUNS_DATABASE_URL", raising=False)
    result = CliRunner().invoke(app, ["worker"])
    assert result.exit_code == 2
    assert "VERIDICAL_RUNS_DATABASE_URL" in result.output
