"""Writes where a release comes from: what was built, from which commit, with which locks, by what.

    python requirements/provenance.py [FOLDER]

An in-toto statement with SLSA's provenance as its predicate, about every file of the folder
(``dist``) but itself. It has no times, so that the same checkout gives the same statement. It is
not signed: whoever publishes signs it.
"""

import hashlib
import json
import os
import platform
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
REPOSITORY = "https://github.com/veridical/veridical"
COMMAND = ".ci/run setup dist"
_LOCKS = (
    "requirements/dev.txt",
    "requirements/runtime.txt",
    "requirements/all.txt",
    "assets/package-lock.json",
)
"""What builds it, what the bill of materials lists, what the image installs, and what makes the
console's scripts."""


def statement(folder: Path, name: str, environment: Mapping[str, str]) -> dict[str, Any]:
    """The statement about a folder, but for the file of this name."""
    built = sorted(each for each in folder.iterdir() if each.name != name)
    return {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [{"name": each.name, "digest": {"sha256": digest(each)}} for each in built],
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": f"{REPOSITORY}/blob/main/docs/how-to/release.md",
                "externalParameters": {"command": COMMAND},
                "internalParameters": {"uncommittedChanges": bool(_git("status", "--porcelain"))},
                "resolvedDependencies": [*_source(), *_locks()],
            },
            "runDetails": {
                "builder": {
                    "id": _builder(environment),
                    "version": {
                        "python": platform.python_version(),
                        "hatchling": version("hatchling"),
                    },
                }
            },
        },
    }


def digest(path: Path) -> str:
    """The SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _source() -> list[dict[str, Any]]:
    """The commit; nothing where the source is an unpacked sdist."""
    commit = _git("rev-parse", "HEAD")
    if not commit:
        return []
    return [{"uri": f"git+{REPOSITORY}@{commit}", "digest": {"gitCommit": commit}}]


def _locks() -> list[dict[str, Any]]:
    return [{"name": each, "digest": {"sha256": digest(ROOT / each)}} for each in _LOCKS]


def _builder(environment: Mapping[str, str]) -> str:
    """The workflow that runs the command, or the script itself on somebody's machine."""
    workflow = environment.get("GITHUB_WORKFLOW_REF")
    return f"https://github.com/{workflow}" if workflow else f"{REPOSITORY}/blob/main/.ci/run"


def _git(*arguments: str) -> str:
    """What git says of the checkout; nothing where it is none."""
    if not (ROOT / ".git").exists():
        return ""
    told = subprocess.run(  # noqa: S603
        ["git", "-c", f"safe.directory={ROOT}", *arguments],  # noqa: S607
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return told.stdout.strip()


def main() -> None:
    """Write it beside what it is about."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "dist")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    file = folder / f"{project['name']}-{project['version']}.provenance.json"
    told = statement(folder, file.name, os.environ)
    file.write_text(json.dumps(told, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
