"""The worker as a command: it answers runs, says what is missing, and ends when asked."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.runs.asked import asked
from tests.runs.conftest import TENANT, prepared, runs, runs_url, settings, store, trustee
from veridical.cli.main import app
from veridical.engine import Postgres
from veridical.feature import Feature
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


@pytest.mark.slow
def test_it_answers_runs_until_it_is_asked_to_end(
    runs: Runs, runs_url: str, trustee: Feature, tmp_path: Path
) -> None:
    (tmp_path / "veridical.toml").write_text(TOML)
    database = trustee.engine.database
    assert isinstance(database, Postgres)
    books = database._pool.url.set(drivername="postgresql")  # pyright: ignore[reportPrivateUsage]
    command = [str(Path(sys.executable).with_name("veridical")), "worker", "--concurrency", "2"]
    environment = {
        **os.environ,
        "BOOKS": books.render_as_string(hide_password=False),
        "VERIDICAL_RUNS_DATABASE_URL": runs_url,
    }
    run_id = runs.start(asked(), TENANT, "Ada").run_id
    worker = subprocess.Popen(
        command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True
    )
    try:
        end = time.monotonic() + PATIENCE
        while not (state := runs.state(run_id, TENANT)) or not state.status.is_final:
            assert time.monotonic() < end
            assert worker.poll() is None
            time.sleep(0.1)
        assert state.status is RunStatus.DONE
        worker.send_signal(signal.SIGTERM)
        _, said = worker.communicate(timeout=PATIENCE)
    finally:
        worker.kill()
    assert worker.returncode == 0
    assert "trustee" in said
    assert "has ended" in said
    assert runs.load().workers == 0


def test_a_database_that_was_not_upgraded_is_told(
    postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, ["worker", "--database", postgres_url])
    assert result.exit_code == 2
    assert "db upgrade" in result.output


def test_a_database_that_does_not_answer_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, ["worker", "--database", "postgresql:///gone?host=/nowhere"])
    assert result.exit_code == 2
    assert "does not answer" in result.output


def test_without_a_database_it_says_how_to_name_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("VERIDICAL_RUNS_DATABASE_URL", raising=False)
    result = CliRunner().invoke(app, ["worker"])
    assert result.exit_code == 2
    assert "VERIDICAL_RUNS_DATABASE_URL" in result.output
