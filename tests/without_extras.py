"""Runs ``veridical`` as if no extra, or only some of them, were installed."""

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from veridical.contracts.extras import EXTRAS, INCLUDES

_RUN = """
import sys
missing = set(sys.argv.pop(1).split(","))

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in missing:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

import importlib.util
found = importlib.util.find_spec
importlib.util.find_spec = lambda name, package=None: (
    None if name.partition(".")[0] in missing else found(name, package)
)
sys.meta_path.insert(0, Missing())
sys.argv[0] = "veridical"
"""
_COMMAND = f"{_RUN}\nfrom veridical.cli.main import app\napp()\n"


def veridical(
    *words: str, folder: Path, extras: tuple[str, ...] = ()
) -> subprocess.CompletedProcess[str]:
    """What these words after ``veridical`` do where only the command line and these extras are
    installed."""
    return _run(_COMMAND, words, folder, ("cli", *extras))


def python(
    code: str, folder: Path, extras: tuple[str, ...] = ()
) -> subprocess.CompletedProcess[str]:
    """What this code does where only these extras are installed."""
    return _run(f"{_RUN}\n{code}", (), folder, extras)


def _run(
    code: str, words: tuple[str, ...], folder: Path, extras: tuple[str, ...]
) -> subprocess.CompletedProcess[str]:
    installed = _brought(extras)
    missing = {name for names in EXTRAS.values() for name in names} - installed
    return subprocess.run(
        [sys.executable, "-c", code, ",".join(sorted(missing)), *words],
        cwd=folder,
        env={**os.environ, "NO_COLOR": "1", "COLUMNS": "200", "XDG_STATE_HOME": str(folder)},
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )


def _brought(extras: Iterable[str]) -> set[str]:
    """The modules that these extras and those that they include bring."""
    return {name for extra in extras for name in EXTRAS[extra] | _brought(INCLUDES.get(extra, ()))}
