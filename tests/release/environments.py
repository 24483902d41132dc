"""Clean environments from a clean clone, each with some extras and nothing else.

With all extras it is made as the README says, by typing ``pip install ".[all]"`` in the clone; the
others have the wheel of the clone's sdist. What it takes is fetched once, as the locks say, and
kept in ``build/wheels``; every environment is then made from that folder alone.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from importlib.metadata import requires
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LOCK = ROOT / "requirements" / "all.txt"
BUILD_LOCK = ROOT / "requirements" / "dev.txt"
UV = Path(sys.executable).with_name("uv")
WHOLE = "all"
TUTORIAL = "agent,engine,mysql,server,local"
MADE = ("", "cli", "engine,local", "agent,engine", TUTORIAL, WHOLE)
"""The bare core, the command line alone, and what the README and the tutorial install together."""
ALONE = ("fast", "engine", "mysql", "agent", "runs", "server", "local", "search")
"""Each extra by itself: only resolved. How commands do without the others is tested without an
installation, by ``tests/defects/test_c15_extras_apart.py``."""
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
    source = clone(folder / "clone") if (ROOT / ".git").exists() else ROOT
    dependencies = dependency_folder()
    wheel = build_wheel(build_sdist(folder / "sdist", source), folder / "wheel")
    make = partial(_environment, folder, wheel, dependencies)
    others = [extras for extras in MADE if extras != WHOLE]
    with ThreadPoolExecutor(AT_ONCE) as threads:
        typed = threads.submit(_as_typed, folder, source, dependencies)
        made = {each.extras: each for each in threads.map(make, others)}
        return made | {WHOLE: typed.result()}


def dependency_folder() -> Path:
    """The folder with every locked wheel, and with those that build ours. Complete, or not there:
    another process may look."""
    wanted = LOCK.read_text("utf-8") + _build_lock()
    locked = hashlib.sha256(wanted.encode()).hexdigest()[:16]
    version = "".join(map(str, sys.version_info[:2]))
    folder = ROOT / "build" / "wheels" / f"py{version}-{locked}"
    if not folder.is_dir():
        fetched = folder.with_name(f"{folder.name}.{os.getpid()}")
        fetched.mkdir(parents=True)
        named = fetched / "wanted.txt"
        named.write_text(wanted, "utf-8")
        quietly(
            sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes",
            "--requirement", named, "--dest", fetched,
        )  # fmt: skip
        try:
            fetched.rename(folder)
        except OSError:  # another process was faster
            shutil.rmtree(fetched)
    return folder


def _build_lock() -> str:
    """What the build backend needs, as locked, and what is not in the other lock."""
    needed = (re.match(r"[\w.-]+", each) for each in requires("hatchling") or () if ";" not in each)
    names = {"hatchling", *(each[0] for each in needed if each)}
    packages = re.split(r"^(?=\w)", BUILD_LOCK.read_text("utf-8"), flags=re.M)
    there = {each.partition("==")[0] for each in LOCK.read_text("utf-8").splitlines()}
    return "".join(each for each in packages if each.partition("==")[0] in names - there)


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


def resolved(core: Environment, extras: str) -> set[str]:
    """The distributions that installing these extras would add to the bare core."""
    (wheel,) = (core.folder.parent / "wheel").glob("*.whl")
    told = subprocess.run(
        [UV, "--no-config", "--offline", "pip", "install", "--dry-run", "--no-index",
         "--find-links", dependency_folder(), "--python", core.python,
         f"veridical[{extras}] @ {wheel.as_uri()}"],
        capture_output=True, text=True,
    )  # fmt: skip
    assert told.returncode == 0, told.stderr
    return set(re.findall(r"^ \+ ([\w.-]+)==", told.stderr, re.M))


def _as_typed(folder: Path, source: Path, dependencies: Path) -> Environment:
    """What a reader of the README has: the folder of wheels stands for the index."""
    made = _place(folder, WHOLE)
    quietly(sys.executable, "-m", "venv", made.folder)
    quietly(
        made.folder / "bin" / "pip", "install", f".[{WHOLE}]", cwd=source,
        PATH=made.variables()["PATH"], PIP_NO_INDEX="1", PIP_FIND_LINKS=str(dependencies),
    )  # fmt: skip
    return made


def _place(folder: Path, extras: str) -> Environment:
    name = extras.replace(",", "-") or "core"
    made = Environment(extras, folder / name, folder / f"{name}-work")
    made.work.mkdir()
    made.work.chmod(0o755)  # open to the user PostgreSQL runs as
    return made


def _environment(folder: Path, wheel: Path, dependencies: Path, extras: str) -> Environment:
    made = _place(folder, extras)
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
