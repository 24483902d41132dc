"""Ten names stand in front; the others are in their modules, and where 0.2 had them."""

import ast
from importlib import import_module
from pathlib import Path

import pytest

import veridical

FRONT = (
    "Answer", "AsyncClient", "Caller", "Checker", "Client", "Language", "LoadError", "Scope",
    "gate", "open",
)  # fmt: skip
_SOURCE = ast.parse(Path(veridical.__file__).read_text("utf-8"))
_OLD = {
    alias.name: node.module
    for node in ast.walk(_SOURCE)
    if isinstance(node, ast.ImportFrom)
    for alias in node.names
    if alias.asname and node.module
}
"""Names of 0.2, each with the module that has it now, as type checkers see it."""


def test_ten_names_stand_in_front() -> None:
    assert tuple(veridical.__all__) == FRONT
    text = veridical.__doc__ or ""
    assert [name for name in FRONT if f"``{name}``" not in text] == []


def test_the_names_of_0_2_are_all_there() -> None:
    assert len(FRONT) + len(_OLD) == 58
    assert not {*FRONT} & {*_OLD}


@pytest.mark.parametrize(("name", "module"), sorted(_OLD.items()))
def test_a_name_of_0_2_is_the_one_of_its_module(name: str, module: str) -> None:
    home = import_module(module)
    assert name in home.__all__
    assert getattr(veridical, name) is getattr(home, name)
