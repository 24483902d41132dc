"""Makes the bundle that desktop assistants install with a double click.

    python deploy/mcpb/bundle.py [FOLDER]

It has no packages in it: the assistant installs them with uv, as ``pyproject.toml`` says. The same
checkout gives the same bytes.
"""

import json
import sys
import tomllib
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
_LONGEST_AGO = (1980, 1, 1, 0, 0, 0)


def project() -> dict[str, Any]:
    """What the package says of itself."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def manifest(version: str) -> dict[str, Any]:
    """The manifest with the version."""
    found = json.loads((HERE / "manifest.json").read_text("utf-8"))
    return {**found, "version": version}


def contents(version: str) -> dict[str, str]:
    """The files of the bundle."""
    wanted = (HERE / "pyproject.toml").read_text("utf-8")
    wanted = wanted.replace('version = "0"', f'version = "{version}"')
    return {
        "manifest.json": json.dumps(manifest(version), indent=2, ensure_ascii=False) + "\n",
        "pyproject.toml": wanted.replace("mysql]", f"mysql]=={version}"),
        "server.py": (HERE / "server.py").read_text("utf-8"),
        "LICENSE": (ROOT / "LICENSE").read_text("utf-8"),
    }


def write(folder: Path) -> Path:
    """The bundle in this folder."""
    own = project()
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{own['name']}-{own['version']}.mcpb"
    with ZipFile(file, "w", ZIP_DEFLATED) as packed:
        for name, text in contents(own["version"]).items():
            packed.writestr(ZipInfo(name, _LONGEST_AGO), text, ZIP_DEFLATED)
    return file


if __name__ == "__main__":
    print(write(Path(sys.argv[1] if len(sys.argv) > 1 else "dist")))
