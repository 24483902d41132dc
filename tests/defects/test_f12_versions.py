"""Documents, examples and files for deployment that name a version of Veridical name this one."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from tests.docs.markdown import ROOT, documents

VERSION: str = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
HISTORY = ("CHANGELOG.md", "docs/benchmarks.md", "docs/decisions", "docs/evals", "benchmarks")
"""Where other versions are named because they were there."""
_NAMED = re.compile(
    r"""(?:veridical(?:-|:|\ |@v|==)  # a tag of the image, of git, a wheel, a requirement
    |\brev:\ v                        # a hook of pre-commit
    |(?:It\ is\ young:\ version|jung:\ Version|还很年轻：版本)\ )
    (\d+\.\d+(?:\.\d+)*)""",
    re.VERBOSE | re.IGNORECASE,
)


def _files() -> Iterator[Path]:
    yield from documents()
    for folder in ("deploy", "examples"):
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and path.suffix not in {".md", ".pyc"}:
                yield path


def test_f12_every_version_that_is_named_is_this_one() -> None:
    named: dict[str, list[str]] = {}
    for path in _files():
        name = path.relative_to(ROOT).as_posix()
        if not name.startswith(HISTORY):
            named[name] = _NAMED.findall(path.read_text("utf-8", "ignore"))
    expected = {"README.md", "README.de.md", "README.zh.md", "deploy/compose.yaml"}
    expected |= {"docs/how-to/operate.md", "docs/how-to/review-requirements.md"}
    expected |= {"examples/requirements/review.yml"}
    assert {name for name, found in named.items() if found} >= expected
    short = VERSION.rpartition(".")[0]
    wrong = {
        name: [each for each in found if each not in {VERSION, short}]
        for name, found in named.items()
    }
    assert {name: each for name, each in wrong.items() if each} == {}


def test_f12_the_package_says_the_same() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert re.search(rf"^## \[{re.escape(VERSION)}\]", changes, re.M)
