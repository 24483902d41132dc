"""No circle of imports: neither between modules, nor between the parts of a package.

Every import counts, wherever it stands: within a function, and those for a type checker alone.
"""

import ast
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src"
Edges = set[tuple[str, str]]


def test_no_circle_between_modules() -> None:
    edges = _edges()
    assert edges
    assert _circle(edges) == []


def test_no_circle_between_the_parts_of_a_package() -> None:
    assert _circle({parts for edge in _edges() if (parts := _parts(*edge))}) == []


def test_a_circle_is_found() -> None:
    assert _circle({("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")})
    assert _parts("p.a.x", "p.b.y") == ("p.a", "p.b")
    assert _parts("p", "p.b") is None


def _circle(edges: Edges) -> list[str]:
    """A circle, in the order in which its modules import each other; empty where there is none."""
    order = TopologicalSorter[str]()
    for importing, imported in edges:
        order.add(imported, importing)
    try:
        order.prepare()
    except CycleError as error:
        return error.args[1]
    return []


def _parts(importing: str, imported: str) -> tuple[str, str] | None:
    """The parts of the innermost package that has both; none for a package and its own part."""
    one, other = importing.split("."), imported.split(".")
    for at, (mine, its) in enumerate(zip(one, other, strict=False), 1):
        if mine != its:
            return ".".join(one[:at]), ".".join(other[:at])
    return None


@cache
def _edges() -> Edges:
    modules = {_name(path): path for path in SOURCE.rglob("*.py")}
    return {
        (name, imported)
        for name, path in modules.items()
        for base, found in _imports(path)
        for imported in (next((n for n in (f"{base}.{found}", base) if n in modules), name),)
        if imported != name
    }


def _name(path: Path) -> str:
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imports(path: Path) -> Iterator[tuple[str, str]]:
    """Modules with a name of each that is imported; the name may be a module itself."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path} has a relative import"
            yield from ((node.module or "", alias.name) for alias in node.names)
