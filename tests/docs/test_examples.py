"""Runs the documents, block by block as ``tests.docs.typed`` says.

A document that says ``<!-- after: OTHER.md -->`` goes on where the other one ended: with a copy of
its folder, beside what it left running. So the other one is typed once for all that follow it. All
commands that are not run say why: ``sh not-run: REASON``. Those of README and tutorials are run by
``tests/release``.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from shutil import copytree

import pytest

from tests.docs.markdown import TYPED_FROM_A_CLONE, documents, fences, name_of
from tests.docs.typed import Background, follow

_AFTER = re.compile(r"^<!-- after: (\S+) -->$", re.M)


def _before(document: Path) -> Path | None:
    """The document that this one goes on from."""
    other = _AFTER.search(document.read_text("utf-8"))
    return document.parent / other[1] if other else None


def _first(document: Path) -> Path:
    other = _before(document)
    return _first(other) if other else document


def _has_examples(document: Path) -> bool:
    """Whether there is something to run here; pages for several engines have their own test."""
    found = list(fences(document))
    is_elsewhere = document in TYPED_FROM_A_CLONE or any(fence.value("engine") for fence in found)
    return not is_elsewhere and any("run" in fence.words for fence in found)


_WITH_EXAMPLES = sorted(filter(_has_examples, documents()), key=lambda each: (_first(each), each))
"""Those that go on from each other stand together."""
_GONE_ON_FROM = set(map(_before, _WITH_EXAMPLES))


@dataclass(frozen=True)
class Typed:
    """A document that was typed to its end, and what stands since."""

    folder: Path
    background: Background
    ran: int


Type = Callable[[Path], Typed]


@pytest.fixture(scope="module")
def standing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Type]:
    """Types a document that others go on from, and leaves it standing for all of them."""
    with ExitStack() as stack:

        @cache
        def typed(document: Path) -> Typed:
            return _type(document, tmp_path_factory.mktemp("standing"), typed, stack)

        yield typed


def _type(document: Path, folder: Path, standing: Type, stack: ExitStack) -> Typed:
    before = _before(document)
    found: dict[str, str] = {}
    if before is not None:
        other = standing(before)
        copytree(other.folder, folder, dirs_exist_ok=True)
        found = dict(other.background.found)
    background = stack.enter_context(Background(folder, found))
    return Typed(folder, background, follow(document, folder, background))


@pytest.mark.parametrize("document", _WITH_EXAMPLES, ids=name_of)
def test_examples_run(document: Path, tmp_path: Path, standing: Type) -> None:
    if document in _GONE_ON_FROM:
        assert standing(document).ran
        return
    with ExitStack() as stack:
        assert _type(document, tmp_path, standing, stack).ran


_COMMANDS_IN = frozenset({"sh", "bash", "python", "sql"})
_BENCHMARK = re.compile(r"python -m (benchmarks(?:\.\w+)+) .*")
"""Run by their own tests and by the smoke step, on less data."""


@pytest.mark.parametrize("document", documents(), ids=name_of)
def test_every_command_is_run_or_says_why_not(document: Path) -> None:
    silent = [
        fence.content
        for fence in fences(document)
        if fence.language in _COMMANDS_IN and not (fence.is_run or fence.not_run)
    ]
    lines = [line for content in silent for line in content.splitlines()]
    modules = [_BENCHMARK.fullmatch(line) for line in lines]
    assert [line for line, found in zip(lines, modules, strict=True) if found is None] == []
    assert [found[1] for found in modules if found and not find_spec(found[1])] == []
