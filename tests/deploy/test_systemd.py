"""The units of systemd: they parse, they start what exists, and they can do little."""

import re
import subprocess
import sys
from pathlib import Path
from shutil import which

import pytest

from tests.deploy.places import DEPLOY
from tests.docs.commands import unknown_in
from veridical.runs.settings import RunsSettings
from veridical.server.settings import ServerSettings

UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
PROGRAM = "/opt/veridical/bin/veridical"
NEEDED = {
    "veridical-server.service": ServerSettings().stop_seconds,
    "veridical-worker@.service": RunsSettings(database_url="x").stop_seconds,
}
MOST_EXPOSED = 20
"""What ``systemd-analyze security`` may find, from 0 (safe) to 100."""


def _value(unit: Path, name: str) -> str:
    (found,) = re.findall(rf"^{name}=(.*)$", unit.read_text("utf-8"), re.M)
    return found


@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.name)
def test_units_start_commands_that_exist(unit: Path) -> None:
    program, _, line = _value(unit, "ExecStart").partition(" ")
    assert program == PROGRAM
    assert unknown_in(line.split()) is None


@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.name)
def test_units_give_the_time_that_it_takes_to_stop(unit: Path) -> None:
    assert int(_value(unit, "TimeoutStopSec")) >= NEEDED[unit.name] + 10


@pytest.mark.skipif(which("systemd-analyze") is None, reason="systemd is not installed")
@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.name)
def test_systemd_takes_them_and_finds_them_safe(unit: Path, tmp_path: Path) -> None:
    installed = tmp_path / unit.name
    here = Path(sys.executable).with_name("veridical")
    installed.write_text(unit.read_text("utf-8").replace(PROGRAM, str(here)), "utf-8")
    for command in (("verify",), ("security", "--offline=yes", f"--threshold={MOST_EXPOSED}")):
        done = subprocess.run(
            ["systemd-analyze", *command, installed], capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout[-500:] + done.stderr
        assert not done.stderr
