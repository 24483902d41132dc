"""What whoever runs a server relies on: readiness, stopping, limits, and knowing what it is."""

import asyncio
import json
import multiprocessing
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx2
import psycopg
import pytest
import yaml
from cyclonedx.model.bom import Bom
from sqlalchemy.exc import OperationalError

from tests.deploy.places import DEPLOY, ROOT
from tests.sample import trustee
from tests.server.standing import ACME, prepare, standing
from veridical.answering.feature import Feature
from veridical.cli.sample_server import supervised
from veridical.contracts.trace import AgentTrace
from veridical.ontology.pack import load_pack
from veridical.sample.books import READER, load_sample
from veridical.sample.postgres import LocalPostgres
from veridical.server.identity import Role
from veridical.server.metrics import Metrics
from veridical.server.trace_writer import TraceWriter

__all__ = ["trustee"]

PATIENCE = 90.0
STOP_SECONDS = 4.0
HEAVY = {"answer": "It was 4711: " + "a" * 60 + "!", "evidence": []}
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
SERVICES: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))["services"]
CONTAINERFILE = (DEPLOY / "Containerfile").read_text("utf-8")
DIGEST = "0f" * 32


@pytest.mark.postgres
def test_e40_a_server_whose_database_takes_nothing_is_not_ready(
    postgres_server: LocalPostgres, trustee: Feature
) -> None:
    url = postgres_server.create_database("server_full")
    keys = prepare(url)
    with standing(url, trustee, keys) as running:
        whole = httpx2.get(f"{running.address}/health/ready", timeout=60)
    with psycopg.connect(url, autocommit=True) as connection:
        # What operators of databases do when the disk is full.
        connection.execute("ALTER DATABASE server_full SET default_transaction_read_only = on")
    with standing(url, trustee, keys) as running:
        full = httpx2.get(f"{running.address}/health/ready", timeout=60)
        alive = httpx2.get(f"{running.address}/health/live", timeout=60)
    assert (whole.status_code, alive.status_code) == (200, 200)
    assert full.status_code == 503
    assert {each["name"]: each["ok"] for each in full.json()["checks"]}["storage"] is False


def test_e40_traces_that_wait_for_a_disk_are_noticed() -> None:
    full = True

    def save(traces: Sequence[Any]) -> None:
        if full:
            raise OperationalError("INSERT", None, psycopg.errors.DiskFull("no space left"))

    async def write() -> list[bool]:
        nonlocal full
        writer = TraceWriter(save, 0.01, 10, Metrics())
        seen = [writer.is_stuck]
        async with writer.at_work():
            writer.keep(_trace())
            await _until(lambda: writer.is_stuck)
            seen.append(writer.is_stuck)
            full = False
            await _until(lambda: not writer.is_stuck)
            seen.append(writer.is_stuck)
        return seen

    assert asyncio.run(write()) == [False, True, False]


def _trace() -> Any:
    return AgentTrace(trace_id="t", events=())


async def _until(done: Any) -> None:
    async with asyncio.timeout(PATIENCE):
        while not done():
            await asyncio.sleep(0.01)


@pytest.mark.postgres
@pytest.mark.slow
def test_e40_a_busy_gate_does_not_hold_up_a_stop(
    tmp_path: Path, postgres_server: LocalPostgres
) -> None:
    own = postgres_server.create_database("server_stop")
    key = prepare(own)[ACME, Role.ANALYST]
    books = load_sample(load_pack("trustee"), postgres_server).url
    (tmp_path / "veridical.toml").write_text(
        f'[[features]]\nname = "trustee"\ndatabase = "{books}"\nrole = "{READER}"\n'
        f'[runs]\ndatabase_url = "{own}"\n[gate]\nallow_patterns = ["(a+)+$"]\n'
        f"[server]\nport = 0\nwork_seconds = 600\nstop_seconds = {STOP_SECONDS}\n"
    )
    command = [Path(sys.executable).with_name("veridical"), "serve"]
    environment = {**os.environ, "COLUMNS": "200"}
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().split()[-1]
            headers = {"authorization": f"Bearer {key}"}
            told: list[int] = []

            def gate() -> None:
                got = httpx2.post(
                    f"{address}/v1/gate", json=HEAVY, headers=headers, timeout=PATIENCE
                )
                told.append(got.status_code)

            asking = threading.Thread(target=gate)
            asking.start()
            time.sleep(3)
            began = time.monotonic()
            process.send_signal(signal.SIGTERM)
            assert process.wait(PATIENCE) == 0
            took = time.monotonic() - began
            asking.join(PATIENCE)
        finally:
            process.kill()
    assert told == [503]
    assert took < STOP_SECONDS + 6


def test_e40_a_worker_that_was_killed_is_replaced() -> None:
    made: list[Any] = []

    def start() -> Any:
        process = multiprocessing.get_context("spawn").Process(target=time.sleep, args=(600,))
        process.start()
        made.append(process)
        return process

    with supervised(start, pause=0.1):
        made[0].kill()
        end = time.monotonic() + PATIENCE
        while len(made) < 2 and time.monotonic() < end:
            time.sleep(0.05)
        assert made[1].is_alive()
    assert not any(process.is_alive() for process in made)


@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.name)
def test_e40_units_have_limits(unit: Path) -> None:
    text = unit.read_text("utf-8")
    assert re.search(r"^MemoryMax=\d+[MG]$", text, re.M)
    assert re.search(r"^TasksMax=\d+$", text, re.M)


@pytest.mark.parametrize("name", SERVICES)
def test_e40_containers_have_limits(name: str) -> None:
    assert re.fullmatch(r"\d+[mg]", SERVICES[name]["mem_limit"])
    assert SERVICES[name]["pids_limit"] > 0


def test_e40_images_are_named_by_digest() -> None:
    built = {name for name, service in SERVICES.items() if "build" in service}
    for name, service in SERVICES.items():
        if name not in built:
            assert re.fullmatch(r"\$\{\w+_IMAGE:\?.*\}", service["image"])
        else:
            assert re.fullmatch(r"\$\{\w+_IMAGE:\?.*\}", service["build"]["args"]["PYTHON"])
    assert "=" not in re.findall(r"^ARG PYTHON.*$", CONTAINERFILE, re.M)[0]
    assert set(re.findall(r"^FROM (\S+)", CONTAINERFILE, re.M)) == {"${PYTHON}"}


@pytest.mark.parametrize(
    ("image", "taken"),
    [
        (f"docker.io/library/python:3.11-slim@sha256:{DIGEST}", True),
        (f"python@sha256:{DIGEST}", True),
        ("docker.io/library/python:3.11-slim", False),
        ("python@sha256:0f0f", False),
        ("", False),
    ],
)
def test_e40_a_build_from_a_tag_fails(image: str, taken: bool) -> None:
    joined = re.sub(r"\\\n\s*", " ", CONTAINERFILE)
    (check,) = [line for line in re.findall(r"^RUN (.*)$", joined, re.M) if "sha256" in line]
    done = subprocess.run(["sh", "-c", check], env={"PYTHON": image}, capture_output=True)
    assert (done.returncode == 0) is taken


def test_e40_the_bill_of_materials_has_all_that_is_locked(tmp_path: Path) -> None:
    written = tmp_path / "bill.json"
    command = [sys.executable, ROOT / "requirements" / "sbom.py", written]
    subprocess.run(command, check=True)
    first = written.read_bytes()
    subprocess.run(command, check=True)
    assert written.read_bytes() == first
    told = json.loads(first)
    lock = (ROOT / "requirements" / "runtime.txt").read_text("utf-8")
    locked = set(re.findall(r"^([\w.-]+)==([^\s;\\]+)", lock, re.M))
    assert {(each["name"], each["version"]) for each in told["components"]} == locked
    assert sum(len(each["hashes"]) for each in told["components"]) == lock.count("--hash=sha256:")
    read: Any = Bom.from_json(told)  # pyright: ignore[reportUnknownMemberType, reportAttributeAccessIssue]
    assert len(read.components) == len(told["components"])
    assert read.metadata.component is not None
    assert read.metadata.component.name == "veridical"
