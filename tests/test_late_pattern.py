"""Patterns that are compiled on first use: what they say, and that all of them can be compiled."""

import ast
import gc
import pkgutil
import re
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import veridical
from veridical.late_pattern import LatePattern, late_pattern

READING = ("answering", "evidence", "gate", "reading", "route")
"""The packages that read languages, with most of the patterns."""
_SOURCE = Path(veridical.__file__).parent


@given(st.text(alphabet="ab1 ", max_size=12))
def test_it_finds_what_a_compiled_one_finds(text: str) -> None:
    written = r"(?P<letters>[a-b]+)|(\d)"
    late, compiled = late_pattern(written, re.IGNORECASE), re.compile(written, re.IGNORECASE)
    spans = [each.span() for each in compiled.finditer(text)]
    assert [each.span() for each in late.finditer(text)] == spans
    assert late.sub("-", text) == compiled.sub("-", text)
    assert late.split(text) == compiled.split(text)
    assert late.findall(text) == compiled.findall(text)
    assert bool(late.fullmatch(text)) == bool(compiled.fullmatch(text))
    assert (late.groups, late.groupindex, late.flags) == (
        compiled.groups,
        compiled.groupindex,
        compiled.flags,
    )


def test_it_is_compiled_on_first_use_and_once(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    compile_now = re.compile

    def counting(text: str, flags: int = 0) -> re.Pattern[str]:
        compiled.append(text)
        return compile_now(text, flags)

    monkeypatch.setattr(re, "compile", counting)
    late = late_pattern("b+")
    assert late.pattern == "b+"
    assert compiled == []
    assert late.search("abb") is not None
    assert late.match("abb") is None
    assert compiled == ["b+"]


def test_a_mistake_is_told_on_use() -> None:
    late = late_pattern("(")
    with pytest.raises(re.error):
        late.search("")


def test_all_patterns_can_be_compiled() -> None:
    for package in READING:
        root = import_module(f"veridical.{package}")
        for module in pkgutil.walk_packages(root.__path__, f"{root.__name__}."):
            import_module(module.name)
    gc.unfreeze()  # what was imported while tests were collected is hidden from it otherwise
    late = [each for each in gc.get_objects() if type(each) is LatePattern]
    wrong = [each.pattern for each in late if not _is_sound(each)]
    assert len(late) > 500
    # Those of the tests above, which hypothesis may still hold.
    assert set(wrong) <= {"("}


def _is_sound(late: LatePattern) -> bool:
    try:
        return getattr(late, "search", None) is not None
    except re.error:
        return False


@pytest.mark.parametrize("package", READING)
def test_reading_a_language_compiles_nothing_on_import(package: str) -> None:
    files = sorted((_SOURCE / package).rglob("*.py"))
    early = [f"{path.name}:{line}" for path in files for line in _compiled_on_import(path)]
    assert early == []


def _compiled_on_import(path: Path) -> list[int]:
    """The lines outside all functions that compile a pattern."""
    waiting: list[ast.AST] = [ast.parse(path.read_text("utf-8"))]
    found: list[int] = []
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "re.compile":
            found.append(node.lineno)
        waiting.extend(ast.iter_child_nodes(node))
    return found
