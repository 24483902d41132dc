"""Every import of Veridical in a document or an example is of a public name."""

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from tests.api.snapshot import PUBLIC_MODULES
from tests.docs.markdown import ROOT, documents, fences, name_of

pytestmark = pytest.mark.slow

_EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
_TOP = "veridical"


def _programs(path: Path) -> Iterator[str]:
    if path.suffix == ".py":
        yield path.read_text("utf-8")
    else:
        yield from (fence.content for fence in fences(path) if fence.language == "python")


def _private(program: str) -> Iterator[str]:
    """What a program imports of Veridical, or takes from it, that is not public."""
    for node in ast.walk(ast.parse(program)):
        match node:
            case ast.ImportFrom(module=str(module), names=names) if _is_ours(module):
                yield from (
                    f"from {module} import {each.name}"
                    for each in names
                    if not _is_public(module, each.name)
                )
            case ast.Import(names=names):
                yield from (
                    f"import {each.name}"
                    for each in names
                    if _is_ours(each.name) and each.name not in PUBLIC_MODULES
                )
            case ast.Attribute(value=ast.Name(id="veridical"), attr=name):
                if not _is_public(_TOP, name):
                    yield f"{_TOP}.{name}"
            case _:
                pass


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] == _TOP


def _is_public(module: str, name: str) -> bool:
    if f"{module}.{name}" in PUBLIC_MODULES or name == "__version__":
        return True
    return module in PUBLIC_MODULES and name in import_module(module).__all__


def _with_programs() -> list[Path]:
    return [each for each in (*documents(), *_EXAMPLES) if any(_programs(each))]


@pytest.mark.parametrize("path", _with_programs(), ids=name_of)
def test_imports_are_public(path: Path) -> None:
    private = [each for program in _programs(path) for each in _private(program)]
    assert private == []


@pytest.mark.parametrize(
    "program",
    [
        "from veridical.check.checker import Checker",
        "from veridical import Chekcer",
        "import veridical.host.runtime",
        "import veridical\nveridical.opne('veridical.toml')",
    ],
)
def test_what_is_not_public_is_found(program: str) -> None:
    assert len(list(_private(program))) == 1
