"""Runs the documents.

``sh run`` and ``python run`` blocks are executed in order, one folder per document; ``exit=1`` says
how a block ends. ``file=NAME`` writes a block to that file. A ``text output`` block is what the
last run block printed; a line of three dots stands for any lines. A ``sh background`` block goes on
beside the others, and must end well when it is told to at the end of the document; with
``NAME=PATTERN`` the blocks after it wait for what it prints, and find it in that variable. A
document that says ``<!-- after: OTHER.md -->`` goes on where the other one ended. All other
commands say why they are not run: ``sh not-run: REASON``.
"""

import atexit
import os
import re
import subprocess
import sys
import time
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from shutil import rmtree
from signal import SIGKILL, SIGTERM
from tempfile import mkdtemp
from typing import Self

import pytest

from tests.docs.markdown import Fence, documents, fences, name_of

_COMMANDS = {
    "sh": ("bash", "-euo", "pipefail", "-c"),
    "python": (sys.executable, "-W", "error", "-c"),
}


_PATIENCE = 300.0
_AFTER = re.compile(r"^<!-- after: (\S+) -->$", re.M)


def _has_examples(document: Path) -> bool:
    return any("run" in fence.words for fence in fences(document))


@pytest.mark.parametrize("document", list(filter(_has_examples, documents())), ids=name_of)
def test_examples_run(document: Path, tmp_path: Path) -> None:
    with _Background(tmp_path) as background:
        ran = [_follow(each, tmp_path, background) for each in _with_those_before(document)]
    assert all(ran)


def _with_those_before(document: Path) -> list[Path]:
    other = _AFTER.search(document.read_text("utf-8"))
    before = _with_those_before(document.parent / other[1]) if other else []
    return [*before, document]


def _follow(document: Path, folder: Path, background: "_Background") -> int:
    """How many commands were run, each of which has to end well."""
    printed, ran = "", 0
    for fence in fences(document):
        if written := fence.value("file"):
            target = folder / written
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(fence.content, "utf-8")
        if "run" in fence.words:
            printed, ran = _run(fence, folder, background.found), ran + 1
        elif "background" in fence.words:
            background.start(fence)
        elif "output" in fence.words:
            assert _shape(fence.content).fullmatch(_trimmed(printed)), printed
    return ran


_COMMANDS_IN = frozenset({"sh", "bash", "python", "sql"})
_BENCHMARK = re.compile(r"python -m (benchmarks(?:\.\w+)+) .*")
"""Run by their own tests and by the smoke step, on less data."""


@pytest.mark.parametrize("document", documents(), ids=name_of)
def test_every_command_is_run_or_says_why_not(document: Path) -> None:
    silent = [
        fence.content
        for fence in fences(document)
        if fence.language in _COMMANDS_IN and not (fence.is_run or fence.not_run)
    ]
    lines = [line for content in silent for line in content.splitlines()]
    modules = [_BENCHMARK.fullmatch(line) for line in lines]
    assert [line for line, found in zip(lines, modules, strict=True) if found is None] == []
    assert [found[1] for found in modules if found and not find_spec(found[1])] == []


class _Background:
    """Commands that go on beside the others; each has a session of its own, ended as a whole."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._running: list[tuple[subprocess.Popen[str], Path]] = []
        self.found: dict[str, str] = {}

    def __enter__(self) -> Self:
        return self

    def start(self, fence: Fence) -> None:
        log = self._folder / f"background-{len(self._running)}.log"
        with log.open("w") as told:
            running = subprocess.Popen(
                [*_COMMANDS[fence.language], fence.content],
                cwd=self._folder,
                env=_environment(),
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


def _run(fence: Fence, folder: Path, found: dict[str, str]) -> str:
    done = subprocess.run(
        [*_COMMANDS[fence.language], fence.content],
        cwd=folder,
        env=_environment() | found,
        capture_output=True,
        text=True,
        timeout=_PATIENCE,
    )
    assert done.returncode == int(fence.value("exit") or 0), done.stdout + done.stderr
    return done.stdout


def _environment() -> dict[str, str]:
    state = _state_folder()
    return {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
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
        "".join("(?:.*\n)*?" if line == "..." else f"{re.escape(line)}\n" for line in lines)
    )
