"""Requests made up from the reference: whatever is sent, the answer is one that it documents."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.effort import FULL
from tests.server.standing import ACME, Standing, prepare, standing
from tests.server.working import working
from veridical.answering.feature import Feature
from veridical.sample.postgres import LocalPostgres
from veridical.server.identity import Role

pytestmark = [pytest.mark.postgres, pytest.mark.slow]

CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "unsupported_method",
)

EXAMPLES = 4 if FULL else 1
"""Requests by chance for each operation, beside those at the bounds of what it takes."""


@pytest.fixture(scope="module")
def alone(postgres_server: LocalPostgres, trustee: Feature) -> Iterator[Standing]:
    """A server that nobody else asks: an administrator's requests may revoke any key."""
    url = postgres_server.create_database("server_fuzzed")
    with (
        standing(url, trustee, prepare(url)) as server,
        working(server.services.runs.settings, trustee),
    ):
        yield server


@pytest.mark.parametrize(
    ("role", "phases"),
    [(Role.ADMIN, "examples,coverage,fuzzing"), (Role.VIEWER, "examples,fuzzing")],
)
def test_every_answer_is_as_documented(
    alone: Standing, tmp_path: Path, role: Role, phases: str
) -> None:
    """A viewer is refused most of what is asked: each shape of it once is enough."""
    command = [
        Path(sys.executable).with_name("schemathesis"),
        *("run", f"{alone.address}/openapi.json", "--phases", phases),
        *("--header", f"Authorization: Bearer {alone.keys[ACME, role]}"),
        *("--checks", ",".join(CHECKS), "--max-examples", str(EXAMPLES), "--continue-on-failure"),
        *("--suppress-health-check", "all", "--request-timeout", "60", "--no-color"),
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-8_000:]
