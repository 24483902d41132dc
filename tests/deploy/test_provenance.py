"""Where a release comes from, as written beside it."""

import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.deploy.places import ROOT

_SCRIPT = ROOT / "requirements" / "provenance.py"


def _written(folder: Path) -> tuple[Path, dict[str, Any]]:
    subprocess.run([sys.executable, _SCRIPT, folder], check=True)
    (file,) = folder.glob("*.provenance.json")
    return file, json.loads(file.read_text("utf-8"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "one.whl").write_bytes(b"1")
    (tmp_path / "two.tar.gz").write_bytes(b"2")
    return tmp_path


def test_it_names_every_file_by_its_digest(folder: Path) -> None:
    _, told = _written(folder)
    assert told["_type"] == "https://in-toto.io/Statement/v1"
    assert told["predicateType"] == "https://slsa.dev/provenance/v1"
    assert told["subject"] == [
        {"name": name, "digest": {"sha256": hashlib.sha256(content).hexdigest()}}
        for name, content in (("one.whl", b"1"), ("two.tar.gz", b"2"))
    ]


def test_it_names_the_command_the_commit_and_the_locks(folder: Path) -> None:
    _, told = _written(folder)
    definition = told["predicate"]["buildDefinition"]
    script, *steps = definition["externalParameters"]["command"].split()
    text = (ROOT / script).read_text("utf-8")
    assert [step for step in steps if f"\n{step}() {{" not in text] == []
    *source, locks = [
        [each for each in definition["resolvedDependencies"] if (kind in each["digest"])]
        for kind in ("gitCommit", "sha256")
    ]
    for each in locks:
        content = (ROOT / each["name"]).read_bytes()
        assert each["digest"]["sha256"] == hashlib.sha256(content).hexdigest()
    assert {"requirements/dev.txt", "requirements/runtime.txt"} <= {each["name"] for each in locks}
    for (commit,) in filter(None, source):
        assert re.fullmatch(r"[0-9a-f]{40}", commit["digest"]["gitCommit"])
        assert commit["uri"].endswith(f"@{commit['digest']['gitCommit']}")


def test_written_again_it_is_the_same(folder: Path) -> None:
    file, first = _written(folder)
    assert _written(folder) == (file, first)


def test_the_step_that_builds_writes_it_last() -> None:
    text = (ROOT / ".ci" / "run").read_text("utf-8")
    body = text.partition("\ndist() {")[2].partition("\n}")[0]
    assert body.strip().splitlines()[-1].strip() == "$bin/python requirements/provenance.py dist"
