"""Sdist and wheel: the one gives the other, and both have what a user needs."""

import tarfile
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.install.environments import ROOT, Environment, build_sdist, build_wheel

_PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
_NAME = f"{_PROJECT['name']}-{_PROJECT['version']}"


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_sdist(tmp_path_factory.mktemp("sdist"))


def test_the_sdist_has_all_that_building_and_testing_takes(sdist: Path) -> None:
    assert sdist.name == f"{_NAME}.tar.gz"
    with tarfile.open(sdist) as packed:
        names = {name.removeprefix(f"{_NAME}/") for name in packed.getnames()}
    needed = {".ci/run", "LICENSE", "README.md", "CHANGELOG.md", "SECURITY.md", "pyproject.toml"}
    needed |= {"requirements/dev.txt", "tests/conftest.py", "src/veridical/py.typed"}
    assert needed - names == set()
    assert [name for name in names if name.startswith((".venv", "build/", "dist/", ".git/"))] == []


def test_the_wheel_of_the_sdist_is_that_of_the_checkout(sdist: Path, tmp_path: Path) -> None:
    wheels = build_wheel(sdist, tmp_path / "one"), build_wheel(ROOT, tmp_path / "other")
    assert {wheel.name for wheel in wheels} == {f"{_NAME}-py3-none-any.whl"}
    one, other = (_contents(wheel) for wheel in wheels)
    assert one == other
    source = ROOT / "src"
    on_disk = {
        str(path.relative_to(source))
        for path in source.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert on_disk - one.keys() == set()
    assert any(name.endswith("licenses/LICENSE") for name in one)


def _contents(wheel: Path) -> dict[str, int]:
    with ZipFile(wheel) as packed:
        return {each.filename: each.CRC for each in packed.infolist()}


def test_an_installed_command_tells_the_version(environments: dict[str, Environment]) -> None:
    assert environments[""].run("--version").stdout.split() == ["veridical", _PROJECT["version"]]
