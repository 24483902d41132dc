"""The programs in ``examples/`` run, and pass the type checkers that an embedder may use."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.markdown import ROOT

_EXAMPLES = ROOT / "examples"
_BIN = Path(sys.executable).parent
_ENDS = {
    "ask.py": "No answer (unknown).",
    "embed.py": "North sold 220.00 and south 80.00: 300.00 together.",
}


def test_each_program_is_run_and_listed() -> None:
    there = {path.name for path in _EXAMPLES.glob("*.py")}
    page = (_EXAMPLES / "README.md").read_text("utf-8")
    assert there == set(_ENDS)
    assert [name for name in there if f"({name})" not in page] == []


@pytest.mark.parametrize("name", sorted(_ENDS))
def test_a_program_runs(name: str, tmp_path: Path) -> None:
    environment = {key: value for key, value in os.environ.items() if "VERIDICAL" not in key}
    done = subprocess.run(
        [sys.executable, "-W", "error", _EXAMPLES / name],
        cwd=tmp_path,
        env=environment | {"XDG_STATE_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == _ENDS[name], done.stdout


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_the_programs_pass_strict_type_checks(checker: str) -> None:
    """Both are strict by ``pyproject.toml``."""
    done = subprocess.run(
        [_BIN / checker, "examples"], cwd=ROOT, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stdout + done.stderr
