"""Which tests are heavy: ``pytest --fast`` leaves them out, and does not even import their files.

Heavy is what needs a database, a server, a process of its own or a model, and what says itself that
it is slow. A test says so by what it uses; nobody has to keep a list of tests.
"""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
_MARKS = ("eval", "model", "postgres", "slow")
_FIXTURES = frozenset({"postgres_server"})
_MODULES = (
    "multiprocessing",
    "subprocess",
    "tests.sample",
    "tests.without_extras",
    "veridical.sample.postgres",
)
"""Whoever imports one of them starts processes."""
FOLDERS = frozenset(
    {"benchmarks", "cli", "deploy", "docs", "evals", "real_model", "release", "server"}
)
"""Where all tests are heavy, whatever they import: they run whole programs."""
LONGEST_FIRST = (
    "docs/test_examples.py",
    "real_model/test_trustee_books.py",
    "server/test_fuzzed.py",
    "benchmarks/test_durability.py",
    "runs/test_worker.py",
    "runs/test_ingest_run.py",
    "runs/test_review_run.py",
    "defects/test_s11_lost_database.py",
    "console/test_injection.py",
)
"""Files that take minutes: begun first, so that no core is idle while another ends one of them."""
_MARKED = re.compile(rf"^pytestmark = .*\bmark\.({'|'.join(_MARKS)})\b", re.M)


@cache
def is_heavy_path(path: Path) -> bool:
    """Whether all tests of a folder or a file are heavy."""
    if TESTS in path.parents and path.relative_to(TESTS).parts[0] in FOLDERS:
        return True
    if not path.match("test_*.py"):
        return False
    text = path.read_text("utf-8")
    return bool(_MARKED.search(text)) or any(map(_starts_processes, _imported(text)))


def is_heavy(item: pytest.Item) -> bool:
    """Whether a test is, by its marks and fixtures."""
    fixtures: list[str] = getattr(item, "fixturenames", [])
    return not _FIXTURES.isdisjoint(fixtures) or any(map(item.get_closest_marker, _MARKS))


def place(item: pytest.Item) -> int:
    """Sorts the longest files to the front; all others stay as they are."""
    name = item.path.relative_to(TESTS).as_posix()
    return LONGEST_FIRST.index(name) if name in LONGEST_FIRST else len(LONGEST_FIRST)


def _imported(text: str) -> list[str]:
    found: list[str] = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found.append(node.module or "")
    return found


def _starts_processes(name: str) -> bool:
    return any(name == module or name.startswith(f"{module}.") for module in _MODULES)
