"""Promises that tests keep: how many there are, and which of them are broken.

A promise is a test function; one with several cases is kept if all of them are. What can't be run
is broken too.
"""

import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
_PROMISE = re.compile(r"^(?:async )?def (test_\w+)", re.MULTILINE)
_CASE = re.compile(r"^(PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS) (\S+?)::(test_\w+)", re.MULTILINE)
_KEPT = "PASSED"


@dataclass(frozen=True)
class Promises:
    """What the tests of some files say."""

    made: tuple[str, ...]
    """Files and functions, as ``tests/a/test_b.py::test_c``."""
    broken: tuple[str, ...]
    cases: int
    """That were run: a function may have many."""
    cases_kept: int

    def figures(self, name: str) -> dict[str, object]:
        """The figures, under a name."""
        return {
            f"{name}_items": len(self.made),
            f"{name}_items_failed": len(self.broken),
            f"{name}_items_broken": list(self.broken),
        }


def promised(files: Sequence[Path]) -> tuple[str, ...]:
    """The promises of test files, by name."""
    return tuple(
        f"{file.relative_to(ROOT).as_posix()}::{name}"
        for file in files
        for name in _PROMISE.findall(file.read_text("utf-8"))
    )


def run_promises(files: Sequence[Path]) -> Promises:
    """Runs the tests of the files."""
    command = [sys.executable, "-m", "pytest", *map(str, files), "-rA"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return read_promises(promised(files), ran.stdout)


def read_promises(made: tuple[str, ...], printed: str) -> Promises:
    """What a run printed of them."""
    cases = [(f"{file}::{test}", outcome) for outcome, file, test in _CASE.findall(printed)]
    kept = [name for name, outcome in cases if outcome == _KEPT]
    hurt = {name for name, outcome in cases if outcome != _KEPT}
    broken = tuple(name for name in made if name not in kept or name in hurt)
    return Promises(made, broken, len(cases), len(kept))
