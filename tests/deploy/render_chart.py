"""Renders the Helm chart with Helm, holds it against the schemas of Kubernetes, and keeps it.

    uv run --no-project --python 3.12 --with helm-sdkpy==0.1.32 \\
        --with kubernetes-validate==1.37.0 tests/deploy/render_chart.py

Neither package is one that tests need: ``test_chart`` reads what was kept, and fails where the
chart has changed since. The package of Helm can lint a chart, but not print one; so a copy of the
chart gets a template that fails with all others in its message.
"""

import asyncio
import hashlib
import json
import os
import re
import shutil
import tempfile
from pathlib import Path
from typing import Any

import yaml

CHART = Path(__file__).parents[2] / "deploy" / "helm"
RENDERED = Path(__file__).with_name("chart_rendered.yaml")
OLDEST, NEWEST = "1.27.0", "1.37.0"
IMAGE = f"registry.example.com/veridical@sha256:{'0' * 64}"
_PRINTED = re.compile(r'message="<<<(.*?)>>>"', re.S)


def digest_of_chart() -> str:
    """The SHA-256 of all files of the chart, with their names."""
    whole = hashlib.sha256()
    for path in sorted(CHART.rglob("*")):
        if path.is_file():
            whole.update(f"{path.relative_to(CHART).as_posix()}\n".encode() + path.read_bytes())
    return whole.hexdigest()


def main() -> None:
    """Render, hold against the schemas, keep. Raises where Helm or a schema objects."""
    with tempfile.TemporaryDirectory() as folder:
        text = _rendered(Path(folder) / "veridical")
    for version in (OLDEST, NEWEST):
        for each in yaml.safe_load_all(text):
            _validate(each, version)
    head = f"# Written by render_chart.py from the chart {digest_of_chart()}\n"
    RENDERED.write_text(head + text, "utf-8")


def _rendered(copy: Path) -> str:
    shutil.copytree(CHART, copy)
    values = (copy / "values.yaml").read_text("utf-8")
    values = values.replace('image: ""', f"image: {IMAGE}")
    values = values.replace("pullSecrets: []", "pullSecrets: [{ name: registry }]")
    (copy / "values.yaml").write_text(values, "utf-8")
    problems = [each for each in _lint(copy)[0]["Messages"] if each["Severity"] > 1]
    assert problems == [], problems
    names = sorted(each.name for each in (copy / "templates").glob("*.yaml"))
    parts = " ".join(f'"---\\n" (include "veridical/templates/{name}" .)' for name in names)
    (copy / "templates" / "all.yaml").write_text(f'{{{{ fail (print "<<<" {parts} ">>>") }}}}')
    (found,) = _PRINTED.findall(_lint(copy)[1])
    return json.loads(f'"{found}"')


def _lint(chart: Path) -> tuple[dict[str, Any], str]:
    """What Helm reports, and what it logs."""
    from helm_sdkpy import Configuration, Lint  # pyright: ignore

    with tempfile.TemporaryFile("w+") as logged:
        kept = os.dup(2)
        os.dup2(logged.fileno(), 2)
        try:
            report = asyncio.run(Lint(Configuration(namespace="default")).run(str(chart)))
        finally:
            os.dup2(kept, 2)
        logged.seek(0)
        return report, logged.read()


def _validate(resource: Any, version: str) -> None:
    from kubernetes_validate import validate  # pyright: ignore

    validate(resource, version, strict=True)


if __name__ == "__main__":
    main()
