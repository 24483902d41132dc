"""The tests of what changed since ``main``, one path a line; on ``main``, since the last commit.

A file of ``src/veridical`` has its tests at the same place under ``tests``. Only files that exist
are printed: everything else is covered by the fast tests, which run as a whole.
"""

import subprocess
import sys
from pathlib import Path, PurePath


def main() -> None:
    """Print them; with ``--types``, the changed Python files instead."""
    changed = [PurePath(each) for each in _changed()]
    if "--types" in sys.argv:
        paths = {each for each in changed if each.suffix == ".py" and Path(each).exists()}
    else:
        paths = {each for path in changed for each in _tests_of(path) if Path(each).exists()}
    print("\n".join(sorted(map(str, paths))))


def _changed() -> set[str]:
    base = _git("merge-base", "HEAD", "origin/main") or _git("merge-base", "HEAD", "main")
    if base == _git("rev-parse", "HEAD"):
        base = "HEAD~1"
    listed = _git("diff", "--name-only", base) + "\n" + _git("ls-files", "-o", "--exclude-standard")
    return set(listed.split())


def _tests_of(path: PurePath) -> list[PurePath]:
    parts = path.parts
    if path.name.startswith("test_") and path.suffix == ".py":
        return [path]
    if parts[:2] == ("src", "veridical"):
        return [PurePath("tests", *parts[2:-1], f"test_{path.stem}.py")]
    if parts[0] == "benchmarks":
        return [PurePath("tests/benchmarks", f"test_{PurePath(parts[1]).stem}.py")]
    if path.suffix == ".md":
        return [PurePath("tests/docs", f"test_{each}.py") for each in ("links", "translations")]
    return []


def _git(*arguments: str) -> str:
    ran = subprocess.run(["git", *arguments], capture_output=True, text=True, check=False)
    return ran.stdout.strip()


main()
