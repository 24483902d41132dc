from pathlib import Path

import pytest
from pydantic import ValidationError

from veridical.runs.settings import RunsSettings, read_runs_settings

URL = "postgresql://u:hunter2@h/d"


def test_the_environment_wins_over_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "veridical.toml"
    file.write_text(f'[runs]\ndatabase_url = "{URL}"\nlease_seconds = 12\nkeep_days = 2\n')
    monkeypatch.setenv("VERIDICAL_RUNS_KEEP_DAYS", "5")
    settings = read_runs_settings(file)
    assert (settings.database_url, settings.lease_seconds, settings.keep_days) == (URL, 12, 5)
    assert settings.engine_url == URL
    assert settings.beat_seconds == 4


def test_without_a_file_the_environment_is_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VERIDICAL_RUNS_DATABASE_URL", URL)
    assert read_runs_settings(tmp_path / "none.toml").database_url == URL


def test_without_a_database_there_are_no_runs(tmp_path: Path) -> None:
    with pytest.raises(ValidationError):
        read_runs_settings(tmp_path / "none.toml")


def test_a_misspelt_setting_is_told(tmp_path: Path) -> None:
    file = tmp_path / "veridical.toml"
    file.write_text(f'[runs]\ndatabase_url = "{URL}"\nlease_second = 12\n')
    with pytest.raises(ValidationError, match="lease_second"):
        read_runs_settings(file)


def test_a_worker_may_miss_a_beat() -> None:
    assert RunsSettings(database_url=URL, lease_seconds=12).beat_seconds == 4


def test_deadlines_are_settings_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "veridical.toml"
    file.write_text(f'[runs]\ndatabase_url = "{URL}"\n[runs.deadlines]\ncall = 2\n')
    assert read_runs_settings(file).deadlines.call == 2
    monkeypatch.setenv("VERIDICAL_RUNS_DEADLINES__CALL", "3")
    assert read_runs_settings(file).deadlines.call == 3


def test_no_password_is_shown() -> None:
    assert "hunter2" not in repr(RunsSettings(database_url=URL, dbos_url=URL))
