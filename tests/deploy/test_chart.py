"""The Helm chart, as Helm renders it: valid for Kubernetes, and the same as the composition."""

import re
import tomllib
from typing import Any

import pytest
import yaml

from tests.deploy.places import DEPLOY, ROOT
from tests.deploy.render_chart import CHART, RENDERED, digest_of_chart
from tests.docs.commands import unknown_in
from veridical.host.settings import read_runtime_settings

_VERSION: str = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
RESOURCES: list[dict[str, Any]] = list(yaml.safe_load_all(RENDERED.read_text("utf-8")))
SERVICES: dict[str, dict[str, Any]] = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))[
    "services"
]
OWN = ("migrate", "server", "worker")
_CONTAINERFILE = (DEPLOY / "Containerfile").read_text("utf-8")


def _one(kind: str, name: str) -> dict[str, Any]:
    (found,) = [
        each
        for each in RESOURCES
        if each["kind"] == kind and each["metadata"]["name"] == f"test-release{name}"
    ]
    return found


def _pod(name: str) -> dict[str, Any]:
    kind = "Job" if name == "migrate" else "Deployment"
    return _one(kind, f"-{name}")["spec"]["template"]["spec"]


def _container(name: str) -> dict[str, Any]:
    (container,) = _pod(name)["containers"]
    assert container["name"] == name
    return container


def test_what_was_rendered_and_checked_is_this_chart() -> None:
    """Otherwise run ``render_chart.py``: it says how."""
    kept = RENDERED.read_text("utf-8").splitlines()[0]
    assert kept.split()[-1] == digest_of_chart()


def test_it_has_the_version_of_the_package() -> None:
    told = yaml.safe_load((CHART / "Chart.yaml").read_text("utf-8"))
    assert (told["version"], told["appVersion"]) == (_VERSION, _VERSION)


def test_it_has_nothing_but_what_it_needs() -> None:
    kinds = sorted(each["kind"] for each in RESOURCES)
    assert kinds == [
        "ConfigMap",
        "Deployment",
        "Deployment",
        "Job",
        "PodDisruptionBudget",
        "Service",
    ]


@pytest.mark.parametrize("name", OWN)
def test_it_runs_the_commands_of_the_composition(name: str) -> None:
    assert _container(name)["args"] == SERVICES[name]["command"]
    assert "command" not in _container(name)
    assert unknown_in(_container(name)["args"]) is None


@pytest.mark.parametrize("name", OWN)
def test_its_containers_can_do_as_little(name: str) -> None:
    pod, container = _pod(name), _container(name)
    assert pod["automountServiceAccountToken"] is False
    assert pod["securityContext"]["runAsNonRoot"] is True
    user = f"{pod['securityContext']['runAsUser']}:{pod['securityContext']['runAsGroup']}"
    assert re.findall(r"^USER (\S+)$", _CONTAINERFILE, re.M) == [user]
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": SERVICES[name]["cap_drop"]},
    }
    (size,) = re.findall(r"size=(\d+)m", SERVICES[name]["tmpfs"][0])
    assert {"name": "tmp", "emptyDir": {"sizeLimit": f"{size}Mi"}} in pod["volumes"]


@pytest.mark.parametrize("name", OWN)
def test_its_containers_have_limits(name: str) -> None:
    resources = _container(name)["resources"]
    assert resources["requests"].keys() == resources["limits"].keys() == {"cpu", "memory"}
    most = int(SERVICES[name]["mem_limit"].removesuffix("m"))
    assert int(resources["limits"]["memory"].removesuffix("Mi")) <= most


@pytest.mark.parametrize("name", ["server", "worker"])
def test_its_pods_get_the_time_that_they_need_to_stop(name: str) -> None:
    told = SERVICES[name]["stop_grace_period"].removesuffix("s")
    assert _pod(name)["terminationGracePeriodSeconds"] == int(told)


def test_the_server_is_asked_whether_it_lives_and_is_ready() -> None:
    (port,) = re.findall(r"^EXPOSE (\d+)$", _CONTAINERFILE, re.M)
    container = _container("server")
    assert container["ports"] == [{"name": "http", "containerPort": int(port)}]
    (alive,) = re.findall(r"http://127\.0\.0\.1:\d+(/[\w/]+)", _CONTAINERFILE)
    for probe in ("startup", "liveness"):
        assert container[f"{probe}Probe"]["httpGet"]["path"] == alive
    assert container["readinessProbe"]["httpGet"]["path"] == "/health/ready"
    service = _one("Service", "")["spec"]
    labels = _one("Deployment", "-server")["spec"]["template"]["metadata"]["labels"]
    assert service["selector"].items() <= labels.items()
    assert [each["targetPort"] for each in service["ports"]] == ["http"]


def test_secrets_come_from_secrets_alone() -> None:
    for name in OWN:
        container = _container(name)
        assert "env" not in container
        assert [each.keys() for each in container["envFrom"]] == [{"secretRef"}]
    names = {_container(name)["envFrom"][0]["secretRef"]["name"] for name in OWN}
    assert len(names) == len(OWN)


def test_the_settings_are_there_first_and_are_read(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    settings = _one("ConfigMap", "-settings")
    job = _one("Job", "-migrate")
    for each in (settings, job):
        assert each["metadata"]["annotations"]["helm.sh/hook"] == "pre-install,pre-upgrade"
    assert int(settings["metadata"]["annotations"]["helm.sh/hook-weight"]) < 0
    folder = tmp_path_factory.mktemp("settings")
    for name, text in settings["data"].items():
        (folder / name).write_text(text)
    monkeypatch.chdir(folder)
    (feature,) = read_runtime_settings().features
    assert feature.name == "trustee"
