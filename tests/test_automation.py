"""What runs on its own runs what a contributor runs: steps of ``.ci/run``, tools of ``.venv``."""

import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.test_house import ROOT

WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
FORMS = [
    form
    for form in sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml"))
    if form.stem != "config"
]
_RUN = (ROOT / ".ci/run").read_text("utf-8")
STEPS = set(re.findall(r"^(\w+)\(\) \{ #", _RUN, re.M))
_PINNED = re.compile(r"[\w.-]+/[\w./-]+@[0-9a-f]{40}")


def _read(path: Path) -> Any:
    return yaml.safe_load(path.read_text("utf-8"))


def _jobs(workflow: Path) -> list[dict[str, Any]]:
    return list(_read(workflow)["jobs"].values())


def _steps(workflow: Path) -> list[dict[str, Any]]:
    return [step for job in _jobs(workflow) for step in job["steps"]]


def test_every_default_step_is_one_that_the_script_has() -> None:
    (named,) = re.findall(r'"\$\{@:-([\w -]+)\}"', _RUN)
    assert set(named.split()) <= STEPS


def test_what_is_a_step_of_its_own_is_no_part_of_the_tests() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["pytest"]
    (step,) = re.findall(r"^install\(\) \{.*\n.*pytest tests/(\w+)$", _RUN, re.M)
    assert (ROOT / "tests" / step).is_dir()
    assert step in settings["ini_options"]["norecursedirs"]


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_runs_only_steps_of_the_script(workflow: Path) -> None:
    commands = [shlex.split(step["run"]) for step in _steps(workflow) if "run" in step]
    assert commands
    for script, *steps in commands:
        assert script == ".ci/run"
        assert set(steps) <= STEPS


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_pins_its_actions_and_may_only_read(workflow: Path) -> None:
    used = [step["uses"] for step in _steps(workflow) if "uses" in step]
    assert [name for name in used if not _PINNED.fullmatch(name)] == []
    assert _read(workflow)["permissions"] == {"contents": "read"}
    assert [job["permissions"] for job in _jobs(workflow) if "permissions" in job] == []
    assert all(job["timeout-minutes"] <= 60 for job in _jobs(workflow))


def test_every_supported_python_is_run() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    found = (re.fullmatch(r"Programming Language :: Python :: (3\.\d+)", c)
             for c in project["classifiers"])  # fmt: skip
    supported = [each[1] for each in found if each]
    (job,) = _jobs(ROOT / ".github/workflows/ci.yml")
    assert job["strategy"]["matrix"]["python"] == supported
    assert project["requires-python"] == f">={supported[0]}"


def test_hooks_are_local_and_their_tools_installed() -> None:
    repositories = _read(ROOT / ".pre-commit-config.yaml")["repos"]
    assert [each["repo"] for each in repositories] == ["local"]
    tools: set[str] = set()
    for hook in repositories[0]["hooks"]:
        tool, *arguments = shlex.split(hook["entry"])
        assert hook["language"] == "system"
        assert (ROOT / tool).is_file(), tool
        scripts = [word for word in arguments if word.endswith(".py")]
        assert [script for script in scripts if not (ROOT / script).is_file()] == []
        tools.add(tool.rpartition("/")[2])
    assert {"ruff", "lint-imports", "python"} == tools


@pytest.mark.parametrize("form", FORMS, ids=lambda path: path.stem)
def test_issue_forms_ask_for_something(form: Path) -> None:
    read = _read(form)
    assert read["name"]
    assert read["description"]
    asked = [each for each in read["body"] if each["type"] != "markdown"]
    assert len({each["id"] for each in asked}) == len(asked) > 0
    assert any(each.get("validations", {}).get("required") for each in asked)


def test_make_targets_call_steps_of_the_script() -> None:
    called = re.findall(r"^\t@?\.ci/run(.*)$", (ROOT / "Makefile").read_text("utf-8"), re.M)
    assert {step for words in called for step in words.split()} <= STEPS
