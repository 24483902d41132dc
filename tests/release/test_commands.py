"""What the README installs: the commands, typed. Every extra alone: what it brings."""

import json
import subprocess
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.release.environments import (
    ALONE,
    AT_ONCE,
    MADE,
    UV,
    WHOLE,
    Environment,
    resolved,
)
from tests.release.size import MOST_BYTES, MOST_CORE_PACKAGES, MOST_PACKAGES, bytes_in

COMMANDS: list[dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("commands.toml").read_text("utf-8")
)["command"]
_WITH_COMMANDS = [each for each in MADE if each]
_OF_PYTHON = {"pip", "setuptools"}
"""What a new environment has."""
_FILES = {
    "query.sql": 'SELECT SUM("closingBalance") FROM "TrusteeDataAccountBalance"',
    "shop.sql": "CREATE TABLE orders (id integer PRIMARY KEY, total numeric)",
    "rows.json": '[{"city": "Bern", "sales": 1200}]',
    "answer.txt": "Bern: 1'200",
}


def _name(extras: str) -> str:
    return extras or "core"


@pytest.fixture(scope="module")
def mistakes(environments: dict[str, Environment]) -> dict[str, list[str]]:
    """What went wrong in each environment: two are worked in at once, as there are cores."""
    with ThreadPoolExecutor(AT_ONCE) as threads:
        return dict(zip(environments, threads.map(_typed, environments.values()), strict=True))


@pytest.mark.parametrize("extras", MADE, ids=_name)
def test_the_documented_commands(mistakes: dict[str, list[str]], extras: str) -> None:
    assert mistakes[extras] == []


def _typed(there: Environment) -> list[str]:
    for name, text in _FILES.items():
        (there.work / name).write_text(text)
    wrong: list[str] = []
    for command in COMMANDS:
        if there.extras not in command.get("on", _WITH_COMMANDS):
            continue
        done = there.run(*command["type"].split())
        printed = done.stdout + done.stderr
        is_as_written = done.returncode == command.get("exit", 0)
        if (
            not is_as_written
            or command.get("prints", "") not in printed
            or "Traceback" in printed
            or "nternal error" in printed
        ):
            wrong.append(f"{command['type']} → {done.returncode}\n{printed}")
    return wrong


@pytest.mark.parametrize("extras", MADE, ids=_name)
def test_nothing_beyond_the_extra_is_installed_and_all_of_it_fits(
    environments: dict[str, Environment], extras: str
) -> None:
    there = environments[extras]
    check_brought(extras, _installed(there))
    fits = subprocess.run(
        [UV, "--no-config", "pip", "check", "--python", there.python],
        capture_output=True, text=True,
    )  # fmt: skip
    assert fits.returncode == 0, fits.stdout + fits.stderr


@pytest.mark.parametrize("extras", ALONE)
def test_an_extra_alone_brings_what_it_is_for(
    environments: dict[str, Environment], extras: str
) -> None:
    check_brought(extras, resolved(environments[""], extras))


def check_brought(extras: str, names: set[str]) -> None:
    named = set(extras.split(","))
    assert ("duckdb" in names) == bool({"engine", "runs", "server", "search", "all"} & named)
    assert ("pydantic-ai-slim" in names) == bool(
        {"agent", "runs", "server", "search", "all"} & named
    )
    assert "pytest" not in names


def test_the_core_is_small(environments: dict[str, Environment]) -> None:
    """Itself and what it brings."""
    assert len(_installed(environments[""]) - _OF_PYTHON) <= MOST_CORE_PACKAGES


def test_all_of_it_is_not_large(
    environments: dict[str, Environment], capsys: pytest.CaptureFixture[str]
) -> None:
    there = environments[WHOLE]
    packages = _installed(there) - _OF_PYTHON
    (site,) = there.folder.glob("lib/python3*/site-packages")
    size = bytes_in(site) - sum(bytes_in(each) for each in site.glob("pip*"))
    with capsys.disabled():
        print(f"\n.[all]: {len(packages)} packages, {size / 1e6:.0f} MB")
    assert len(packages) <= MOST_PACKAGES
    assert size <= MOST_BYTES


def _installed(there: Environment) -> set[str]:
    listed = subprocess.run(
        [UV, "--no-config", "pip", "list", "--format", "json", "--python", there.python],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return {each["name"] for each in json.loads(listed.stdout)}
