from pathlib import Path

import pytest
from pydantic import ValidationError

from veridical.server.settings import ServerSettings, read_server_settings


def test_the_environment_wins_over_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "veridical.toml"
    file.write_text("[server]\nport = 9000\ndocs = true\nallowed_origins = ['https://a.example']\n")
    monkeypatch.setenv("VERIDICAL_SERVER_PORT", "9001")
    settings = read_server_settings(file)
    assert (settings.port, settings.docs) == (9001, True)
    assert settings.allowed_origins == ("https://a.example",)


def test_without_a_file_it_listens_on_this_machine_alone(tmp_path: Path) -> None:
    settings = read_server_settings(tmp_path / "veridical.toml")
    assert settings == ServerSettings()
    assert settings.host == "127.0.0.1"
    assert settings.allowed_origins == ()


def test_a_setting_that_nobody_knows_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "veridical.toml"
    file.write_text("[server]\nprot = 9000\n")
    with pytest.raises(ValidationError, match="prot"):
        read_server_settings(file)


def test_a_token_is_not_shown(tmp_path: Path) -> None:
    file = tmp_path / "veridical.toml"
    file.write_text("[server]\nmetrics_token = 'hunter2'\n")
    assert "hunter2" not in repr(read_server_settings(file))
