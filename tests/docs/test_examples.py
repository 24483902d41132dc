"""Runs the documents.

``sh run`` and ``python run`` blocks are executed in order, one folder per document; ``exit=1`` says
how a block ends. ``file=NAME`` writes a block to that file. A ``text output`` block is what the
last run block printed; a line of three dots stands for any lines.
"""

import atexit
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

import pytest

from tests.docs.markdown import Fence, documents, fences, name_of

_COMMANDS = {
    "sh": ("bash", "-euo", "pipefail", "-c"),
    "python": (sys.executable, "-W", "error", "-c"),
}


def _has_examples(document: Path) -> bool:
    return any("run" in fence.words for fence in fences(document))


@pytest.mark.parametrize("document", list(filter(_has_examples, documents())), ids=name_of)
def test_examples_run(document: Path, tmp_path: Path) -> None:
    printed = ""
    for fence in fences(document):
        if written := fence.value("file"):
            target = tmp_path / written
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(fence.content, "utf-8")
        if "run" in fence.words:
            printed = _run(fence, tmp_path)
        elif "output" in fence.words:
            assert _shape(fence.content).fullmatch(_trimmed(printed)), printed


def _run(fence: Fence, folder: Path) -> str:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    state = _state_folder()
    environment = {
        **os.environ,
        "PATH": path,
        "NO_COLOR": "1",
        "COLUMNS": "120",
        "XDG_STATE_HOME": state,
        "VERIDICAL_TRACES": f"{state}/traces",
    }
    done = subprocess.run(
        [*_COMMANDS[fence.language], fence.content],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == int(fence.value("exit") or 0), done.stdout + done.stderr
    return done.stdout


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
