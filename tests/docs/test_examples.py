"""Runs the documents, block by block as ``tests.docs.typed`` says.

A document that says ``<!-- after: OTHER.md -->`` goes on where the other one ended. All commands
that are not run say why: ``sh not-run: REASON``.
"""

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.docs.markdown import documents, fences, name_of
from tests.docs.typed import Background, follow

_AFTER = re.compile(r"^<!-- after: (\S+) -->$", re.M)


def _has_examples(document: Path) -> bool:
    """Whether there is something to run here; pages for several engines have their own test."""
    found = list(fences(document))
    engines = any(fence.value("engine") for fence in found)
    return not engines and any("run" in fence.words for fence in found)


@pytest.mark.parametrize("document", list(filter(_has_examples, documents())), ids=name_of)
def test_examples_run(document: Path, tmp_path: Path) -> None:
    with Background(tmp_path) as background:
        ran = [follow(each, tmp_path, background) for each in _with_those_before(document)]
    assert all(ran)


def _with_those_before(document: Path) -> list[Path]:
    other = _AFTER.search(document.read_text("utf-8"))
    before = _with_those_before(document.parent / other[1]) if other else []
    return [*before, document]


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
