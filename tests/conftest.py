"""One PostgreSQL server for the whole run, one database for each module that asks.

How long an example takes says more about the machine than about the code: examples have no
deadline, and being slow to make them is no failure. How wide the terminal is, each test says
itself.
"""

import logging
import os
import re
import sys
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from veridical.testing.postgres import LocalPostgres, local_postgres

settings.register_profile(
    "patient", settings.default, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("patient")
for _name in ("COLUMNS", "LINES"):
    os.environ.pop(_name, None)


@pytest.fixture(autouse=True)
def loudness() -> Iterator[None]:  # pyright: ignore[reportUnusedFunction]
    """Whoever silences Veridical's log, as benchmarks do, silences it for one test."""
    logger = logging.getLogger("veridical")
    before = logger.level
    yield
    logger.setLevel(before)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[LocalPostgres]:
    with local_postgres() as server:
        yield server


@pytest.fixture(scope="module")
def postgres_url(postgres_server: LocalPostgres, request: pytest.FixtureRequest) -> str:
    name = re.sub(r"[^a-z0-9]+", "_", request.node.nodeid.lower())
    return postgres_server.create_database(name[-60:])


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """A run that is ended in the middle has told by then what failed."""
    if report.failed and "PYTEST_XDIST_WORKER" not in os.environ:
        print(f"\nFAILED {report.nodeid} ({report.when})", file=sys.stderr, flush=True)
