"""Clean environments: the wheel of this checkout's sdist with some extras, and nothing else.

What it depends on is fetched once, as ``requirements/all.txt`` locks it, and kept in
``build/wheels``; every environment is then made from that folder alone.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LOCK = ROOT / "requirements" / "all.txt"
UV = Path(sys.executable).with_name("uv")
ALONE = ("", "fast", "engine", "agent", "runs", "server", "local", "all")
"""The bare core, and each extra by itself."""
TOGETHER = ("engine,local", "agent,engine")
"""As the README installs them."""
AT_ONCE = os.cpu_count() or 2


@dataclass(frozen=True)
class Environment:
    """One of them, with a folder to work in."""

    extras: str
    folder: Path
    work: Path

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self.folder / "bin" / "python"

    def run(self, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """What these words after ``veridical`` do there."""
        return subprocess.run(
            [str(self.folder / "bin" / "veridical"), *words],
            cwd=self.work,
            env=self.variables() | variables,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=600,
        )

    def variables(self) -> dict[str, str]:
        """The environment variables: nothing of the environment that runs the tests."""
        kept = {name: os.environ[name] for name in ("HOME", "LANG", "TMPDIR") if name in os.environ}
        return {
            **kept,
            "PATH": f"{self.folder / 'bin'}{os.pathsep}/usr/bin{os.pathsep}/bin",
            "NO_COLOR": "1",
            "COLUMNS": "200",
            "XDG_STATE_HOME": str(self.work / "state"),
        }


def built(folder: Path) -> dict[str, Environment]:
    """All of them, by their extras."""
    dependencies = dependency_folder()
    wheel = build_wheel(build_sdist(folder / "sdist"), folder / "wheel")
    make = partial(_environment, folder, wheel, dependencies)
    with ThreadPoolExecutor(AT_ONCE) as threads:
        return {each.extras: each for each in threads.map(make, (*ALONE, *TOGETHER))}


def dependency_folder() -> Path:
    """The folder with every locked wheel. Complete, or not there: another process may look."""
    locked = hashlib.sha256(LOCK.read_bytes()).hexdigest()[:16]
    version = "".join(map(str, sys.version_info[:2]))
    folder = ROOT / "build" / "wheels" / f"py{version}-{locked}"
    if not folder.is_dir():
        fetched = folder.with_name(f"{folder.name}.{os.getpid()}")
        quietly(
            sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes",
            "--requirement", LOCK, "--dest", fetched,
        )  # fmt: skip
        try:
            fetched.rename(folder)
        except OSError:  # another process was faster
            shutil.rmtree(fetched)
    return folder


def clone(out: Path) -> Path:
    """A clone of what is committed here: nothing that was built beside it, nothing ignored."""
    if not (ROOT / ".git").exists():
        pytest.skip("what can be cloned is a repository, and this is none")
    trusted = out.with_name("gitconfig")  # whoever owns the checkout
    trusted.write_text("[safe]\n\tdirectory = *\n")
    quietly(
        "git", "clone", "--quiet", "--depth", "1", ROOT.as_uri(), out,
        GIT_CONFIG_GLOBAL=str(trusted),
    )  # fmt: skip
    return out


def build_sdist(out: Path, source: Path = ROOT) -> Path:
    """The sdist of a checkout, without Node and without an index."""
    quietly(
        sys.executable, "-m", "hatchling", "build", "--target", "sdist", "--directory", out,
        cwd=source, PATH="",
    )  # fmt: skip
    (sdist,) = out.glob("*.tar.gz")
    return sdist


def build_wheel(source: Path, out: Path) -> Path:
    """The wheel of a checkout or of an sdist, without Node and without an index."""
    quietly(
        sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation",
        "--no-index", "--wheel-dir", out, source, PATH="",
    )  # fmt: skip
    (wheel,) = out.glob("*.whl")
    return wheel


def wheel_of(there: Environment) -> Path:
    """The wheel that an environment was made from."""
    (wheel,) = (there.folder.parent / "wheel").glob("*.whl")
    return wheel


def _environment(folder: Path, wheel: Path, dependencies: Path, extras: str) -> Environment:
    name = extras.replace(",", "-") or "core"
    made = Environment(extras, folder / name, folder / f"{name}-work")
    made.work.mkdir()
    made.work.chmod(0o755)  # open to the user PostgreSQL runs as
    offline = ("--no-config", "--offline", "--quiet")
    quietly(UV, *offline, "venv", "--python", sys.executable, made.folder)
    quietly(
        UV, *offline, "pip", "install", "--no-index", "--find-links", dependencies,
        "--python", made.python, f"veridical[{extras}] @ {wheel.as_uri()}" if extras else wheel,
    )  # fmt: skip
    return made


def quietly(*command: str | Path, cwd: Path = ROOT, **variables: str) -> None:
    """Runs a command, which is to end well."""
    words = [str(word) for word in command]
    environment = os.environ | variables
    done = subprocess.run(words, cwd=cwd, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
