"""Who has the last word about a setting."""

from pathlib import Path

import pytest
from pydantic import BaseModel
from pydantic_settings import BaseSettings, SettingsConfigDict

from veridical.contracts.settings_file import read_table, table


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
    path.write_text('[part]\nname = "file"\n[part.hours]\nfirst = 2\nlast = 3\n')
    return path


def test_the_environment_wins_over_the_file_and_what_is_given_over_both(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert read_table(Settings, file, "part").name == "file"
    monkeypatch.setenv("SOME_TEST_NAME", "environment")
    assert read_table(Settings, file, "part").name == "environment"
    assert read_table(Settings, file, "part", {"name": "given"}).name == "given"


def test_what_the_environment_leaves_out_of_a_table_stays(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_TEST_HOURS__LAST", "9")
    assert read_table(Settings, file, "part").hours == Hours(first=2, last=9)


def test_no_file_and_no_table_say_nothing(file: Path, tmp_path: Path) -> None:
    assert table(file, "other") is None
    assert table(tmp_path / "none.toml", "part") is None
