"""A setting that nobody made has one value, whether or not there is a settings file."""

from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic_settings import BaseSettings

from veridical.agent.settings import AgentSettings, read_settings
from veridical.gate.policy import DEFAULT
from veridical.host.settings import read_runtime_settings
from veridical.runs.settings import RunsSettings, read_runs_settings
from veridical.server.oidc_settings import read_oidc_settings
from veridical.server.settings import ServerSettings, read_server_settings

_DATABASE = "postgresql://localhost/x"


def _runs(path: Path) -> RunsSettings:
    return read_runs_settings(path, _DATABASE)


READ: dict[type[BaseSettings], Callable[[Path], BaseSettings]] = {
    AgentSettings: read_settings,
    RunsSettings: _runs,
    ServerSettings: read_server_settings,
}
FILES = {
    "none": None,
    "empty": "",
    "of others": "[gate]\n[skills]\n",
    "with empty tables": "[runs]\n[server]\n[budget]\n",
    "with a model": 'model = "openai:some"\n',
}


@pytest.mark.parametrize("said", FILES.values(), ids=FILES)
@pytest.mark.parametrize("kind", READ, ids=lambda kind: kind.__name__)
def test_c21_what_is_left_out_is_the_default(
    tmp_path: Path, kind: type[BaseSettings], said: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("VERIDICAL_ANSWER_FORM")  # what all tests are given
    path = tmp_path / "veridical.toml"
    if said is not None:
        path.write_text(said)
    found = READ[kind](path)
    given = {"model"} | {name for name, field in kind.model_fields.items() if field.is_required()}
    for name, field in kind.model_fields.items():
        if name not in given:
            default = field.get_default(call_default_factory=True)
            assert getattr(found, name) == default, name


@pytest.mark.parametrize("said", ["", 'model = "openai:some"\n', "[gate]\n"])
def test_c21_the_other_parts_too(tmp_path: Path, said: str) -> None:
    path = tmp_path / "veridical.toml"
    without = read_runtime_settings(path, {})
    path.write_text(said)
    with_file = read_runtime_settings(path, {})
    assert without.policy == with_file.policy == DEFAULT
    assert without.skill_folders == with_file.skill_folders
    assert without.features == with_file.features
    assert read_oidc_settings(path) is None


@pytest.mark.parametrize(
    ("file", "variable", "seconds"),
    [
        (None, None, 120),
        ("", None, 120),
        ('model = "openai:some"', None, 120),
        ("timeout_seconds = 0", None, 60),
        ("timeout_seconds = 0.0", None, 60),
        ("timeout_seconds = 7", None, 7),
        (None, "0", 60),
        (None, "", 120),
        (None, "7.5", 7.5),
        ("timeout_seconds = 7", "0", 60),
        ("timeout_seconds = 7", "", 7),
        ("timeout_seconds = 0", "9", 9),
    ],
)
def test_c21_the_timeout_of_a_model(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    file: str | None,
    variable: str | None,
    seconds: float,
) -> None:
    monkeypatch.delenv("VERIDICAL_TIMEOUT_SECONDS", raising=False)
    if variable is not None:
        monkeypatch.setenv("VERIDICAL_TIMEOUT_SECONDS", variable)
    path = tmp_path / "veridical.toml"
    if file is not None:
        path.write_text(f"{file}\n")
    assert read_settings(path).timeout_seconds == seconds
