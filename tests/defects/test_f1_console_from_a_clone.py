"""What is built from a clone, without Node and without a package index, serves every page; and a
page never fails for a script that is not there."""

import os
import re
import shutil
import subprocess
import sys
from http.cookiejar import CookieJar
from pathlib import Path
from tempfile import mkdtemp
from urllib.error import HTTPError
from urllib.request import HTTPCookieProcessor, OpenerDirector, build_opener
from zipfile import ZipFile

import pytest

from tests.release.demo import pages, running
from tests.release.environments import ROOT, build_sdist, build_wheel, clone
from veridical.console.asset import NAMES

STATIC = "veridical/console/static"
_COMMAND = (sys.executable, "-c", "from veridical.cli.main import app; app()")
_LOADED = re.compile(r'(?:src|href|data-script)="(/console/static/[^"]+)"')


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return clone(tmp_path_factory.mktemp("clone") / "veridical")


@pytest.fixture(scope="module")
def wheel(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(checkout, tmp_path_factory.mktemp("wheel"))


def test_f1_the_wheel_of_a_clone_has_every_file_that_a_page_loads(wheel: Path) -> None:
    names = set(_contents(wheel))
    assert {f"{STATIC}/{name}" for name in NAMES} - names == set()
    licences = {Path(name).name for name in names if "/licenses/" in name}
    assert licences == {"LICENSE", "explore.LICENSE", "htmx.LICENSE"}


def test_f1_the_sdist_of_a_clone_gives_the_same_wheel(
    checkout: Path, wheel: Path, tmp_path: Path
) -> None:
    sdist = build_sdist(tmp_path / "sdist", checkout)
    assert _contents(build_wheel(sdist, tmp_path / "wheel")) == _contents(wheel)


def test_f1_the_committed_scripts_are_those_that_the_lock_gives(tmp_path: Path) -> None:
    if not (ROOT / "assets" / "node_modules" / "esbuild").is_dir():
        pytest.skip("npm has not installed what builds them: .ci/run assets")
    subprocess.run(["node", ROOT / "assets" / "build.mjs", tmp_path], check=True)
    assert _bytes(ROOT / "src" / STATIC / "vendor") == _bytes(tmp_path)


@pytest.mark.postgres
@pytest.mark.slow
def test_f1_every_page_opens_without_its_scripts(wheel: Path) -> None:
    """With them, ``tests/release`` opens each in a browser."""
    folder = Path(mkdtemp(prefix="vf-"))  # short: the path of a unix socket must be
    folder.chmod(0o755)
    try:
        with ZipFile(wheel) as packed:
            packed.extractall(folder / "package")
        for script in (folder / "package" / STATIC).rglob("*.js"):
            script.unlink()
        places = {"PYTHONPATH": f"{folder}/package", "XDG_STATE_HOME": f"{folder}/state"}
        with running(_COMMAND, folder, os.environ | places) as demo:
            visitor = build_opener(HTTPCookieProcessor(CookieJar()))
            entered = _opened(visitor, demo.link)
            opened = {path: _opened(visitor, demo.address + path) for path in pages()}
            assert entered[0] == 200
            assert {path for path, (status, _) in opened.items() if status != 200} == set()
            loaded = {each for _, page in opened.values() for each in _LOADED.findall(page)}
            assert not any(".js?" in each for each in loaded)
            answers = {each: _opened(visitor, demo.address + each)[0] for each in loaded}
            assert set(answers.values()) == {200}, answers
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _opened(visitor: OpenerDirector, address: str) -> tuple[int, str]:
    try:
        with visitor.open(address, timeout=60) as response:
            return response.status, response.read().decode()
    except HTTPError as error:
        return error.code, error.read().decode()


def _contents(wheel: Path) -> dict[str, int]:
    with ZipFile(wheel) as packed:
        return {each.filename: each.CRC for each in packed.infolist()}


def _bytes(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}
