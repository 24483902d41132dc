"""Presets of ``veridical.toml``: each loads, sets what it says, and gives way to the file."""

from pathlib import Path
from typing import Any

import pytest

from veridical.agent.settings import read_settings
from veridical.contracts.facts_answer import Show
from veridical.contracts.settings_file import UnknownSettingError, contents, presets
from veridical.contracts.violation import Mode
from veridical.host.settings import read_runtime_settings
from veridical.requirements.policy.review_policy import read_review_policy
from veridical.runs.settings import read_runs_settings
from veridical.server.settings import read_server_settings

_DATABASE = "postgresql://localhost/own"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "veridical.toml"


@pytest.mark.parametrize("name", presets())
def test_each_preset_loads_and_sets_what_it_says(
    name: str, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("VERIDICAL_ANSWER_FORM")  # the form of most tests
    file.write_text(f'preset = "{name}"\n')
    runtime = read_runtime_settings(file, {})
    read: dict[str, Any] = {
        "gate": runtime.policy,
        "requirements": read_review_policy(file),
        "runs": read_runs_settings(file, _DATABASE),
        "server": read_server_settings(file),
    }
    said = presets()[name]
    assert said.purpose
    assert contents(file) == said.sets
    for table, values in said.sets.items():
        if isinstance(values, dict):
            assert {key: getattr(read[table], key) for key in values} == values
        else:
            found = getattr(runtime.agent, table)
            assert (list(found) if isinstance(found, tuple) else found) == values


def test_the_file_and_the_environment_win(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text('preset = "laptop"\n[server]\nthreads = 5\n[runs]\nconnections = 3\n')
    monkeypatch.setenv("VERIDICAL_SERVER_MOST_ASKS", "7")
    server = read_server_settings(file)
    assert (server.processes, server.threads, server.most_asks) == (1, 5, 7)
    assert read_runs_settings(file, _DATABASE).connections == 3


def test_presets_can_be_combined(file: Path) -> None:
    file.write_text('preset = ["small-model", "strict"]\nprompt_tokens = 900\n[gate]\nlog = "x"\n')
    policy = read_runtime_settings(file, {}).policy
    assert (policy.show, policy.untraced_arguments, policy.log) == (Show.EXACT, Mode.BLOCK, "x")
    agent = read_settings(file)
    assert (agent.prompt_tokens, agent.known_questions) == (900, True)


@pytest.mark.parametrize("named", ['"labtop"', '["laptop", "labtop"]', "3", "{ a = 1 }"])
def test_one_that_there_is_not_is_named(named: str, file: Path) -> None:
    file.write_text(f"preset = {named}\n")
    with pytest.raises(UnknownSettingError, match=r"preset .*laptop, small-model, strict, team"):
        contents(file)
