"""Every extra alone, and those that the README installs together: the commands, typed."""

import json
import subprocess
import tomllib
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.install.demo import printed
from tests.install.environments import (
    ALONE,
    AT_ONCE,
    TOGETHER,
    UV,
    WHOLE,
    Environment,
)
from tests.install.size import MOST_BYTES, MOST_PACKAGES, bytes_in

ALL: tuple[str, ...] = (*ALONE, *TOGETHER)
COMMANDS: list[dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("commands.toml").read_text("utf-8")
)["command"]
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


@pytest.mark.parametrize("extras", ALL, ids=_name)
def test_the_documented_commands(mistakes: dict[str, list[str]], extras: str) -> None:
    assert mistakes[extras] == []


def _typed(there: Environment) -> list[str]:
    for name, text in _FILES.items():
        (there.work / name).write_text(text)
    wrong: list[str] = []
    for command in COMMANDS:
        if there.extras not in command.get("on", ALL):
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


@pytest.mark.parametrize("extras", ALL, ids=_name)
def test_nothing_beyond_the_extra_is_installed_and_all_of_it_fits(
    environments: dict[str, Environment], extras: str
) -> None:
    there = environments[extras]
    names = _installed(there)
    assert ("duckdb" in names) == bool({"engine", "runs", "server", "all"} & set(extras.split(",")))
    assert ("pydantic-ai-slim" in names) == bool(
        {"agent", "runs", "server", "all"} & set(extras.split(","))
    )
    assert "pytest" not in names
    fits = subprocess.run(
        [UV, "--no-config", "pip", "check", "--python", there.python],
        capture_output=True, text=True,
    )  # fmt: skip
    assert fits.returncode == 0, fits.stdout + fits.stderr


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


def test_the_server_for_trying_out_starts_answers_and_stops(
    environments: dict[str, Environment],
) -> None:
    there = environments["all"]
    log = there.work / "serve.log"
    with log.open("w") as told:
        serving = subprocess.Popen(
            [str(there.folder / "bin" / "veridical"), "serve", "--sample", "--port", "0"],
            cwd=there.work, env=there.variables(), stdout=told, stderr=told,
        )  # fmt: skip
    try:
        key = printed(log, serving, r"vk_\w+")
        address = printed(log, serving, r"http://127\.0\.0\.1:\d+")
        assert _get(f"{address}/health/live")[0] == 200
        status, body = _asked(address, key)
        assert status == 200
        assert body["proof"]["verdict"] == "pass"
    finally:
        serving.terminate()
        code = serving.wait(60)
    assert code == 0, log.read_text()


def _asked(address: str, key: str) -> tuple[int, Any]:
    question = {"feature": "trustee", "question": "Saldo von Konto 1020 Ende 2024?"}
    return _get(
        urllib.request.Request(
            f"{address}/v1/ask",
            json.dumps(question).encode(),
            {"Authorization": f"Bearer {key}", "Content-Type": "application/json"},
        )
    )


def _get(request: str | urllib.request.Request) -> tuple[int, Any]:
    with urllib.request.urlopen(request, timeout=60) as response:
        return response.status, json.loads(response.read() or b"null")
