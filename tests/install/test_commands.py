"""Every extra alone, and those that the README installs together: the commands, typed."""

import json
import re
import subprocess
import tomllib
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

from tests.install.environments import (
    ALONE,
    AT_ONCE,
    TOGETHER,
    UV,
    Environment,
    dependency_folder,
    wheel_of,
)

ALL: tuple[str, ...] = (*ALONE, *TOGETHER)
COMMANDS: list[dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("commands.toml").read_text("utf-8")
)["command"]
_PATIENCE = 120.0
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
    listed = subprocess.run(
        [UV, "--no-config", "pip", "list", "--format", "json", "--python", there.python],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    names = {each["name"] for each in json.loads(listed.stdout)}
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
        key = _printed(log, serving, r"vk_\w+")
        address = _printed(log, serving, r"http://127\.0\.0\.1:\d+")
        assert _get(f"{address}/health/live")[0] == 200
        status, body = _asked(address, key)
        assert status == 200
        assert body["proof"]["verdict"] == "pass"
    finally:
        serving.terminate()
        code = serving.wait(60)
    assert code == 0, log.read_text()


def test_the_demo_starts_from_the_wheel_alone_and_answers(
    environments: dict[str, Environment],
) -> None:
    there = environments["all"]
    wheel, dependencies = wheel_of(there), dependency_folder()
    log = there.work / "demo.log"
    command = [UV, "tool", "run", "--offline", "--no-config", "--no-index"]
    command += ["--python", there.python, "--find-links", dependencies]
    command += ["--from", f"veridical[all] @ {wheel.as_uri()}"]
    with log.open("w") as told:
        running = subprocess.Popen(
            [*map(str, command), "veridical", "demo", "--no-browser"],
            cwd=there.work, env=there.variables(), stdout=told, stderr=told,
        )  # fmt: skip
    try:
        address = _printed(log, running, r"http://127\.0\.0\.1:\d+")
        key = _printed(log, running, r"vk_\w+")
        assert _asked(address, key)[1]["proof"]["verdict"] == "pass"
        link = _printed(log, running, r"http://\S+/console/enter\S+")
        with urllib.request.build_opener(urllib.request.HTTPCookieProcessor()).open(link) as page:
            assert page.url.endswith("/console/ask")
            assert 'class="tour"' in page.read().decode()
    finally:
        running.terminate()  # uv hands this one on
        code = running.wait(60)
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


def _printed(log: Path, running: subprocess.Popen[bytes], pattern: str) -> str:
    end = monotonic() + _PATIENCE
    while not (found := re.search(pattern, log.read_text())):
        assert running.poll() is None, log.read_text()
        assert monotonic() < end, log.read_text()
        sleep(0.1)
    return found[0]
