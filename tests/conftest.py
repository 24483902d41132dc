"""One PostgreSQL server for the whole run, one database for each module that asks.

How long an example takes says more about the machine than about the code: examples have no
deadline, and being slow to make them is no failure. How wide the terminal is, each test says
itself.
"""

import gc
import logging
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.effort import examples
from tests.heavy import is_heavy, is_heavy_path, place
from veridical.sample.postgres import LocalPostgres, local_postgres

settings.register_profile(
    "patient",
    settings.default,
    deadline=None,
    max_examples=examples(100),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("fast", settings.get_profile("patient"), max_examples=20)
settings.load_profile("patient")
for _name in ("COLUMNS", "LINES"):
    os.environ.pop(_name, None)
os.environ.setdefault("VERIDICAL_ANSWER_FORM", "text")
"""What scripted models say is mostly text; tests of another form say so."""


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


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--fast", action="store_true", help="only what is pure: no heavy tests")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--fast"):
        settings.load_profile("fast")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    return True if config.getoption("--fast") and is_heavy_path(collection_path) else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    items.sort(key=place)
    if config.getoption("--fast"):
        heavy = [item for item in items if is_heavy(item)]
        config.hook.pytest_deselected(items=heavy)
        items[:] = [item for item in items if not is_heavy(item)]


def pytest_collection_finish() -> None:
    """Thousands of collected tests stay to the end: the garbage collector need not visit them."""
    gc.collect()
    gc.freeze()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """A run that is ended in the middle has told by then what failed."""
    if report.failed and "PYTEST_XDIST_WORKER" not in os.environ:
        print(f"\nFAILED {report.nodeid} ({report.when})", file=sys.stderr, flush=True)
