"""Requests made up from the reference: whatever is sent, the answer is one that it documents."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.server.standing import ACME, Standing
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


@pytest.mark.parametrize("role", [Role.ADMIN, Role.VIEWER])
def test_every_answer_is_as_documented(worked: Standing, tmp_path: Path, role: Role) -> None:
    command = [
        Path(sys.executable).with_name("schemathesis"),
        *("run", f"{worked.address}/openapi.json", "--phases", "examples,coverage,fuzzing"),
        *("--header", f"Authorization: Bearer {worked.keys[ACME, role]}"),
        *("--checks", ",".join(CHECKS), "--max-examples", "4", "--continue-on-failure"),
        *("--suppress-health-check", "all", "--request-timeout", "60", "--no-color"),
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-8_000:]
