"""Who has the last word about a setting, and what no setting is."""

from pathlib import Path

import pytest
from pydantic import BaseModel
from pydantic_settings import BaseSettings, SettingsConfigDict

from veridical.agent.settings import AgentSettings
from veridical.contracts.language import Language
from veridical.contracts.settings_file import AGENT, TABLES, UnknownSettingError, table
from veridical.contracts.settings_table import read_table
from veridical.gate import policy as gate_policy
from veridical.host import settings as host_settings
from veridical.requirements.policy import review_policy
from veridical.runs import settings as runs_settings
from veridical.search.score import settings as search_settings
from veridical.server import oidc_settings
from veridical.server import settings as server_settings
from veridical.skills import load as skills_load


class Hours(BaseModel):
    """A part of the settings."""

    first: float = 1
    last: float = 1


class Settings(BaseSettings):
    """Settings of a test."""

    model_config = SettingsConfigDict(env_prefix="SOME_TEST_", env_nested_delimiter="__")

    name: str
    hours: Hours = Hours()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "veridical.toml"
    path.write_text('[runs]\nname = "file"\n[runs.hours]\nfirst = 2\nlast = 3\n')
    return path


def test_the_environment_wins_over_the_file_and_what_is_given_over_both(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert read_table(Settings, file, "runs").name == "file"
    monkeypatch.setenv("SOME_TEST_NAME", "environment")
    assert read_table(Settings, file, "runs").name == "environment"
    assert read_table(Settings, file, "runs", {"name": "given"}).name == "given"


def test_what_the_environment_leaves_out_of_a_table_stays(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_TEST_HOURS__LAST", "9")
    assert read_table(Settings, file, "runs").hours == Hours(first=2, last=9)


def test_no_file_and_no_table_say_nothing(file: Path, tmp_path: Path) -> None:
    assert table(file, "server") is None
    assert table(tmp_path / "none.toml", "runs") is None


@pytest.mark.parametrize(
    "text", ["[sever]\nport = 1\n", "modle = 'x'\n", "[[feature]]\nname = 'x'\n"]
)
def test_what_nobody_knows_is_named_with_its_file(file: Path, text: str) -> None:
    file.write_text(f"{text}[runs]\nname = 'file'\n")
    with pytest.raises(UnknownSettingError) as caught:
        table(file, "runs")
    name = text.strip("[").split()[0].rstrip("]")
    for language in Language:
        told = caught.value.message(language)
        assert name in told
        assert str(file) in told


def test_each_unknown_name_is_told_at_once(file: Path) -> None:
    file.write_text("one = 1\n[two]\n")
    with pytest.raises(UnknownSettingError, match="one, two"):
        table(file, "runs")


def test_every_part_of_the_settings_is_known() -> None:
    parts = (
        gate_policy,
        host_settings,
        oidc_settings,
        review_policy,
        runs_settings,
        search_settings,
        server_settings,
        skills_load,
    )
    assert {part.TABLE for part in parts} == TABLES
    assert AgentSettings.model_fields.keys() == AGENT
