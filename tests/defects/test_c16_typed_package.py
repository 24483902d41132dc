"""The package is typed, knows its version, and offers what the README imports."""

import ast
from importlib.metadata import version
from pathlib import Path

import veridical
from veridical import check, client, engines, gate, ontology, tools

SOURCE = Path(veridical.__file__).parent


def test_c16_the_package_says_that_it_is_typed() -> None:
    assert (SOURCE / "py.typed").is_file()


def test_c16_the_version_is_that_of_the_installed_package() -> None:
    assert veridical.__version__ == version("veridical")
    assert "__version__" in dir(veridical)


def test_c16_the_gate_is_public() -> None:
    assert "gate" in veridical.__all__
    assert veridical.gate is gate
    named: dict[str, object] = {}
    exec("from veridical import *", named)
    assert named["gate"] is gate


def test_c16_what_is_loaded_lazily_is_imported_for_type_checkers() -> None:
    for module in (veridical, check, client, engines, gate, ontology, tools):
        tree = ast.parse(Path(module.__file__ or "").read_text("utf-8"))
        seen = {
            alias.asname or alias.name
            for node in tree.body
            if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
            for imported in node.body
            if isinstance(imported, ast.ImportFrom)
            for alias in imported.names
        }
        assert set(module.__all__) <= seen
