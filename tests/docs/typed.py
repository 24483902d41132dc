"""Types what a document says, as its reader would, and holds what is printed against it.

``sh run`` and ``python run`` blocks are executed in order, one folder per document; ``exit=1`` says
how a block ends. What a shell exports lasts to the end of the document. ``file=NAME`` writes a
block to that file. A ``text output`` block is what the last run block printed; a line of three dots
stands for any lines, ``…`` for the rest of what stands there. A ``sh background`` block goes on
beside the others, and must end well when it is told to at the end of the document; with
``NAME=PATTERN`` the blocks after it wait for what it prints, and find it in that variable. Of
blocks with ``engine=NAME`` a reader types those of the engine at hand. A block that needs less than
the document has installed says so, ``with=agent,engine`` or ``with=core``; ``tests/release`` types
it where nothing else is installed.
"""

import atexit
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from shutil import rmtree
from signal import SIGKILL, SIGTERM
from tempfile import mkdtemp
from typing import Self

from tests.docs.markdown import Fence, fences

_SHELL = ("bash", "-euo", "pipefail", "-c")
_PATIENCE = 300.0
_EXPORTS = ".exports"
_OF_THE_SHELL = frozenset({"PWD", "OLDPWD", "SHLVL", "_"})


def follow(
    document: Path,
    folder: Path,
    background: "Background",
    engine: str = "",
    places: Mapping[str, str] | None = None,
) -> int:
    """How many commands were run, each of which has to end well.

    ``places`` has what a reader types in place of what the document says: where a server is.
    """
    printed, ran = "", 0
    for fence in fences(document):
        if fence.value("engine") not in (None, engine):
            continue
        if written := fence.value("file"):
            target = folder / written
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(fence.content, "utf-8")
        if "run" in fence.words:
            python = background.python_of(fence)
            printed, ran = _run(fence, folder, python, background.found, places or {}), ran + 1
        elif "background" in fence.words:
            background.start(fence)
        elif "output" in fence.words:
            assert _shape(fence.content).fullmatch(_trimmed(printed)), printed
    return ran


def _this_python(fence: Fence) -> Path:
    return Path(sys.executable)


class Background:
    """Commands that go on beside the others; each has a session of its own, ended as a whole.
    ``python_of`` says in whose environment a block is typed."""

    def __init__(
        self,
        folder: Path,
        found: Mapping[str, str] | None = None,
        python_of: Callable[[Fence], Path] = _this_python,
    ) -> None:
        self._folder = folder
        self.python_of = python_of
        self._running: list[tuple[subprocess.Popen[str], Path]] = []
        self.found = dict(found or {})

    def __enter__(self) -> Self:
        return self

    def start(self, fence: Fence) -> None:
        log = self._folder / f"background-{len(self._running)}.log"
        python = self.python_of(fence)
        with log.open("w") as told:
            running = subprocess.Popen(
                _command(fence.language, fence.content, python),
                cwd=self._folder,
                env=_environment(python) | self.found,
                stdout=told,
                stderr=told,
                text=True,
                start_new_session=True,
            )
        self._running.append((running, log))
        for name, _, pattern in (word.partition("=") for word in fence.words):
            if name.isupper():
                self.found[name] = _printed(log, running, re.compile(pattern))

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """The last one first, as they build on each other; what does not end is killed."""
        codes: list[int] = []
        for running, _log in reversed(self._running):
            with suppress(ProcessLookupError):
                os.killpg(running.pid, SIGTERM)
            try:
                codes.append(running.wait(60))
            except subprocess.TimeoutExpired:
                os.killpg(running.pid, SIGKILL)
                codes.append(running.wait())
        told = "\n".join(log.read_text("utf-8", "replace")[-3000:] for _, log in self._running)
        if kind is not None:
            print(told)
        else:
            assert codes == [0] * len(codes), told


def _printed(log: Path, running: subprocess.Popen[str], pattern: re.Pattern[str]) -> str:
    """What a command in the background prints of this kind, as soon as it does."""
    end = time.monotonic() + _PATIENCE
    while not (found := pattern.search(log.read_text("utf-8", "replace"))):
        assert running.poll() is None, log.read_text("utf-8", "replace")
        assert time.monotonic() < end, log.read_text("utf-8", "replace")
        time.sleep(0.1)
    return found[0]


def _command(language: str, content: str, python: Path) -> list[str]:
    program = _SHELL if language == "sh" else (str(python), "-W", "error", "-c")
    return [*program, content]


def _run(
    fence: Fence, folder: Path, python: Path, found: dict[str, str], places: Mapping[str, str]
) -> str:
    content = fence.content
    for said, meant in places.items():
        content = content.replace(said, meant)
    exports = folder / _EXPORTS
    if fence.language == "sh":
        content = f"trap 'env -0 >{exports}' EXIT\n{content}"
    environment = _environment(python) | found
    done = subprocess.run(
        _command(fence.language, content, python),
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=_PATIENCE,
    )
    assert done.returncode == int(fence.value("exit") or 0), done.stdout + done.stderr
    if exports.is_file():
        pairs = (each.partition("=") for each in exports.read_text("utf-8").split("\0") if each)
        exported = {name: value for name, _, value in pairs if name not in _OF_THE_SHELL}
        found.update(exported.items() - environment.items())
        exports.unlink()
    return done.stdout


def _environment(python: Path) -> dict[str, str]:
    state = _state_folder()
    return {
        **os.environ,
        "PATH": f"{python.parent}{os.pathsep}{os.environ['PATH']}",
        "NO_COLOR": "1",
        "COLUMNS": "120",
        "XDG_STATE_HOME": state,
        "VERIDICAL_TRACES": f"{state}/traces",
    }


@cache
def _state_folder() -> str:
    """Where the commands keep what they keep: short, and open to the user PostgreSQL runs as."""
    folder = Path(mkdtemp(prefix="vdocs-"))
    folder.chmod(0o755)
    atexit.register(rmtree, folder, ignore_errors=True)
    return str(folder)


def _trimmed(text: str) -> str:
    """The text without what depends on the width of a terminal."""
    return "".join(f"{' '.join(line.split())}\n" for line in text.strip().splitlines())


def _shape(expected: str) -> re.Pattern[str]:
    lines = _trimmed(expected).splitlines()
    return re.compile(
        "".join("(?:.*\n)*?" if line == "..." else f"{_line(line)}\n" for line in lines)
    )


def _line(expected: str) -> str:
    return ".*".join(map(re.escape, expected.split("…")))
