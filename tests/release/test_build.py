"""Sdist and wheel: the one gives the other, and both have what a user needs."""

import os
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.release.environments import ROOT, Environment, build_sdist, build_wheel, clone

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


def test_the_same_commit_gives_the_same_bytes(tmp_path: Path) -> None:
    """In another folder, later, for a user whose new files are private, in another zone."""
    one, other = tmp_path / "one", tmp_path / "deeper" / "other"
    other.parent.mkdir()
    for source in (one, other):
        clone(source)
    for path in other.rglob("*"):
        os.utime(path, (2_000_000_000, 2_000_000_000), follow_symlinks=False)
    first = _built(one, umask=0o022, TZ="UTC")
    second = _built(other, umask=0o077, TZ="Asia/Shanghai")
    assert sorted(each.name for each in first) == [f"{_NAME}-py3-none-any.whl", f"{_NAME}.tar.gz"]
    for each, again in zip(first, second, strict=True):
        assert (each.name, each.read_bytes()) == (again.name, again.read_bytes())


def _built(source: Path, umask: int, **variables: str) -> list[Path]:
    """Sdist and wheel, as the step ``dist`` of ``.ci/run`` makes them."""
    kept = {name: value for name, value in os.environ.items() if name != "SOURCE_DATE_EPOCH"}
    command = [sys.executable, "-m", "hatchling", "build", "-d", "dist"]
    subprocess.run(
        command, cwd=source, env=kept | variables, umask=umask, check=True, capture_output=True
    )
    return sorted((source / "dist").iterdir())


def test_an_installed_command_tells_the_version(environments: dict[str, Environment]) -> None:
    assert environments["cli"].run("--version").stdout.split() == ["veridical", _PROJECT["version"]]
