"""The environments, made once for all tests of the folder."""

from collections.abc import Generator
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

import pytest

from tests.release.environments import Environment, built


@pytest.fixture(scope="session")
def environments() -> Generator[dict[str, Environment]]:
    folder = Path(mkdtemp(prefix="vi-"))  # short: the path of a unix socket must be
    folder.chmod(0o755)
    yield built(folder)
    rmtree(folder, ignore_errors=True)
