"""The recipes of CONTRIBUTING.md: their files exist, are few, and all that an example touches."""

import re
from pathlib import Path

import pytest

from tests.test_house import ROOT, SOURCE

_PAGE = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
_RECIPES = dict(re.findall(r"^### Add (?:a|an) (.+)\n((?:(?!^#).*\n)+)", _PAGE, re.M))
MOST = {"check rule": 4, "gate rule": 4, "engine": 3, "tool": 3, "route": 2}
"""Files that a new one touches, with its cases."""
SEARCHED = {
    "check rule": r"\btotal_name\b",
    "gate rule": r"\bstale_result\b",
    "route": r"server\.routes import|server\.routes\.ontology",
}
"""How the package would speak of the example."""


def _files(recipe: str) -> list[str]:
    return re.findall(r"^- `([^`]+)`", _RECIPES[recipe], re.M)


def _cases(recipe: str) -> list[str]:
    return re.findall(r"^- cases: `([^`]+)`", _RECIPES[recipe], re.M)


def test_there_is_a_recipe_for_whatever_is_added_often() -> None:
    assert set(_RECIPES) == {*MOST, "language", "pack"}


@pytest.mark.parametrize("recipe", sorted(_RECIPES))
def test_its_files_exist(recipe: str) -> None:
    named = [*_files(recipe), *_cases(recipe)]
    assert named
    assert [file for file in named if not (ROOT / file).is_file()] == []


@pytest.mark.parametrize("recipe", MOST)
def test_it_touches_few_files_and_says_how_many(recipe: str) -> None:
    files, cases = _files(recipe), _cases(recipe)
    said = f"Files: {len(files)}, its cases: {len(cases)}." if cases else f"Files: {len(files)}."
    assert said in _RECIPES[recipe]
    assert len(files) + len(cases) <= MOST[recipe]


@pytest.mark.parametrize("recipe", SEARCHED)
def test_nothing_else_in_the_package_speaks_of_the_example(recipe: str) -> None:
    wanted = re.compile(SEARCHED[recipe])
    speaking = {str(path.relative_to(ROOT)) for path in _sources() if wanted.search(_text(path))}
    assert speaking
    assert speaking - {*_files(recipe), *_cases(recipe)} == set()


def _sources() -> list[Path]:
    suffixes = {".py", ".toml", ".yaml"}
    return [path for path in SOURCE.rglob("*") if path.suffix in suffixes]


def _text(path: Path) -> str:
    return path.read_text("utf-8")
