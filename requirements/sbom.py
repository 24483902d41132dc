"""Writes the bill of materials: every package that a running Veridical is made of, as locked.

    python requirements/sbom.py [FILE]

CycloneDX 1.6 as JSON, from ``requirements/runtime.txt`` alone: the same lock gives the same bill,
on any machine and without a network. Each package has its version, its address as a package URL,
and the digests that an installation is held to.
"""

import json
import re
import sys
import tomllib
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

ROOT = Path(__file__).parents[1]
LOCK = ROOT / "requirements" / "runtime.txt"
_PINNED = re.compile(r"^([A-Za-z0-9][\w.-]*)==([^\s;\\]+)\s*(?:;\s*([^\\]*?))?\s*\\?$")
_DIGEST = re.compile(r"--hash=sha256:([0-9a-f]{64})")


def bill(lock: str, project: dict[str, Any]) -> dict[str, Any]:
    """The bill of materials of a lock."""
    parts = components(lock)
    own = f"pkg:pypi/{project['name']}@{project['version']}"
    named = json.dumps([own, parts], sort_keys=True)
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid5(NAMESPACE_URL, named)}",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": own,
                "name": project["name"],
                "version": project["version"],
                "licenses": [{"license": {"id": "Apache-2.0"}}],
                "purl": own,
            }
        },
        "components": parts,
        "dependencies": [
            {"ref": own, "dependsOn": [part["bom-ref"] for part in parts]},
            *({"ref": part["bom-ref"]} for part in parts),
        ],
    }


def components(lock: str) -> list[dict[str, Any]]:
    """The packages of a lock, in its order."""
    found: list[dict[str, Any]] = []
    for line in lock.splitlines():
        pinned = _PINNED.match(line)
        if pinned is not None:
            found.append(_component(pinned[1], pinned[2], pinned[3] or ""))
        for digest in _DIGEST.findall(line):
            found[-1]["hashes"].append({"alg": "SHA-256", "content": digest})
    return found


def _component(name: str, version: str, only_where: str) -> dict[str, Any]:
    address = f"pkg:pypi/{re.sub(r'[-_.]+', '-', name).lower()}@{version}"
    made: dict[str, Any] = {
        "type": "library",
        "bom-ref": f"{address}#{only_where}" if only_where else address,
        "name": name,
        "version": version,
        "purl": address,
        "hashes": [],
    }
    if only_where:
        made["properties"] = [{"name": "pip:marker", "value": only_where}]
    return made


def main() -> None:
    """Write it to a file, or print it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    text = json.dumps(bill(LOCK.read_text("utf-8"), project), indent=2) + "\n"
    if len(sys.argv) > 1:
        path = Path(sys.argv[1])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
