"""An ontology that was edited is read again when the server is told to."""

import os
import signal
import subprocess
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.server.standing import ACME, prepare
from veridical.ontology.pack import load_pack
from veridical.sample.books import READER, load_sample
from veridical.sample.postgres import LocalPostgres
from veridical.server.identity import Role

_PACK = """
from dataclasses import replace
from pathlib import Path
from veridical.packs.trustee import pack as trustee

kept = int(Path(__file__).with_name("kept.txt").read_text())
constraints = trustee.ontology.constraints[:kept]
ontology = trustee.ontology.model_copy(update={"constraints": constraints})
pack = replace(trustee, name="trustee_edited", ontology=ontology)
"""
_SUMMED = {
    "feature": "trustee",
    "call": {
        "tool": "executeSqlSafe",
        "sql": 'SELECT SUM("closingBalance") FROM "TrusteeDataAccountBalance"',
    },
}


@pytest.mark.postgres
@pytest.mark.slow
def test_c29_an_edited_ontology_is_read_when_told_to(
    tmp_path: Path, postgres_server: LocalPostgres
) -> None:
    own = postgres_server.create_database("server_reloads")
    headers = {"authorization": f"Bearer {prepare(own)[ACME, Role.ANALYST]}"}
    books = load_sample(load_pack("trustee"), postgres_server).url
    (tmp_path / "veridical.toml").write_text(
        '[[features]]\nname = "trustee"\npack = "trustee_edited"\n'
        f'database = "{books}"\nrole = "{READER}"\n'
        f'[runs]\ndatabase_url = "{own}"\n[server]\nport = 0\n'
    )
    _installed(tmp_path)
    with _serving(tmp_path) as process, _told(process) as lines:
        address = next(line for line in lines if "http:" in line).split()[-1]

        def codes() -> set[str]:
            got = httpx2.post(f"{address}/v1/check", json=_SUMMED, headers=headers, timeout=60)
            assert got.status_code == 200, got.text
            details: dict[str, Any] = got.json()["errorDetails"] or {"others": ()}
            return {each["code"] for each in (details, *details["others"]) if "code" in each}

        def reload(kept: str) -> str:
            (tmp_path / "kept.txt").write_text(kept)
            process.send_signal(signal.SIGHUP)
            return next(line for line in lines if "reloaded" in line)

        strict = codes()
        assert "trustee" in reload("0")
        lax = codes()
        assert "nothing was reloaded" in reload("a word")
        assert (codes(), process.poll()) == (lax, None)
        reload("1000")
        assert codes() == strict
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
    assert lax < strict


def _installed(folder: Path) -> None:
    """A pack as somebody has it installed who still works on it."""
    (folder / "edited.py").write_text(_PACK)
    (folder / "kept.txt").write_text("1000")
    (folder / "edited-1.dist-info").mkdir()
    (folder / "edited-1.dist-info" / "METADATA").write_text("Name: edited\nVersion: 1\n")
    (folder / "edited-1.dist-info" / "entry_points.txt").write_text(
        "[veridical.packs]\ntrustee_edited = edited:pack\n"
    )


@contextmanager
def _serving(folder: Path) -> Generator[subprocess.Popen[str]]:
    path = os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH"))))
    with subprocess.Popen(
        [Path(sys.executable).with_name("veridical"), "serve"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONPATH": path, "COLUMNS": "200"},
    ) as process:
        try:
            yield process
        finally:
            process.kill()


@contextmanager
def _told(process: subprocess.Popen[str]) -> Generator[Iterator[str]]:
    """What a process says, line by line."""
    assert process.stdout is not None
    yield iter(process.stdout)
