"""The pre-commit hook and the workflow that others copy: run as their tools run them."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

from tests.test_house import ROOT
from veridical.cli.main import app

EXAMPLE = ROOT / "examples/requirements"
OLD = "- A-1: The app must be fast.\n"
NEW = "- A-2: The list shall be sorted, if possible, by name.\n"


def _run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """A command in a shell, with the program of this environment first on the path."""
    environment = {"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin", "PYTHONPATH": _path()}
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
    )


def _path() -> str:
    return f"{ROOT / 'src'}:{ROOT}"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one old finding in its baseline."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "requirements").mkdir()
    (tmp_path / "requirements/app.md").write_text(OLD)
    shutil.copy(EXAMPLE / "veridical.toml", tmp_path)
    done = CliRunner().invoke(app, ["requirements", "baseline", "requirements/app.md"])
    assert done.exit_code == 0, done.stderr
    return tmp_path


def _hook() -> dict[str, Any]:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    return hook


def test_hook_fails_on_new_findings_only(project: Path) -> None:
    hook = _hook()
    changed = ["requirements/app.md", "README.md", "src/app.py"]
    chosen = [name for name in changed if re.search(hook["files"], name)]
    assert chosen == ["requirements/app.md"]
    command = shlex.join([*shlex.split(hook["entry"]), *chosen])
    (project / "requirements/app.md").write_text(f"\n\n{NEW}{OLD}")
    done = _run(command, project)
    assert done.returncode == 1
    assert "ESC" in done.stderr
    assert "VAG" not in done.stderr


def test_hook_can_be_installed() -> None:
    hook = _hook()
    assert {"id", "name", "entry", "language", "files"} <= hook.keys()
    assert hook["language"] == "python"
    assert hook["additional_dependencies"] == [".[requirements]"]


def test_workflow_writes_what_it_uploads(project: Path) -> None:
    (job,) = yaml.safe_load((EXAMPLE / "review.yml").read_text("utf-8"))["jobs"].values()
    (command,) = (
        step["run"] for step in job["steps"] if step.get("run", "").startswith("veridical")
    )
    done = _run(command, project)
    assert (done.returncode, done.stderr) == (0, "")
    uploaded = [
        value
        for step in job["steps"]
        for name, value in step.get("with", {}).items()
        if name in {"sarif_file", "path"}
    ]
    assert len(uploaded) == 2
    assert all((project / name).stat().st_size > 0 for name in uploaded)
