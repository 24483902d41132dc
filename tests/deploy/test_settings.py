"""The example of settings is one that every part takes."""

import tomllib

import pytest

from tests.deploy.places import DEPLOY
from veridical.agent.settings import AgentSettings, read_settings
from veridical.host.settings import TABLE as FEATURES
from veridical.host.settings import read_runtime_settings
from veridical.runs.settings import TABLE as RUNS
from veridical.runs.settings import read_runs_settings
from veridical.server.settings import TABLE as SERVER
from veridical.server.settings import read_server_settings

EXAMPLE = DEPLOY / "veridical.toml"


def test_every_part_reads_it() -> None:
    told = tomllib.loads(EXAMPLE.read_text("utf-8"))
    runtime = read_runtime_settings(EXAMPLE, {})
    assert [feature.name for feature in runtime.features] == ["trustee"]
    assert read_settings(EXAMPLE).model == told["model"]
    assert read_server_settings(EXAMPLE).most_watchers == told[SERVER]["most_watchers"]


def test_runs_take_their_database_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERIDICAL_RUNS_DATABASE_URL", "postgresql://somewhere")
    told = tomllib.loads(EXAMPLE.read_text("utf-8"))[RUNS]
    settings = read_runs_settings(EXAMPLE)
    assert settings.database_url == "postgresql://somewhere"
    assert settings.keep_days == told["keep_days"]


def test_no_setting_is_unknown() -> None:
    told = tomllib.loads(EXAMPLE.read_text("utf-8"))
    tables = {FEATURES, RUNS, SERVER}
    assert told.keys() - tables - AgentSettings.model_fields.keys() == set()
