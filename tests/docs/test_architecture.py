"""The page on the architecture names files and classes that there are."""

import ast
import re

from tests.docs.markdown import ROOT

SOURCE = ROOT / "src" / "veridical"
PAGE = (ROOT / "docs/architecture.md").read_text("utf-8")
_PATH = re.compile(r"`((?:[a-z_]+/)+(?:[a-z_]+\.py)?)`")
_NOUN = re.compile(r"^\| `(\w+)` \| .* \| `([\w/.]+)` \|$", re.M)
LONGEST = 110
"""Lines: one page, one picture."""


def test_it_stays_one_page_with_one_picture() -> None:
    assert len(PAGE.splitlines()) <= LONGEST
    assert PAGE.count("```mermaid") == 1


def test_every_file_it_names_exists() -> None:
    named = set(_PATH.findall(PAGE)) - {"src/veridical/"}
    assert len(named) > 15
    assert [path for path in sorted(named) if not (SOURCE / path).exists()] == []


def test_a_reader_follows_an_answer_through_at_most_twenty_files() -> None:
    listed = PAGE.partition("<!-- reading -->")[2].partition("<!-- end -->")[0]
    files = re.findall(r"`([a-z_/]+\.py)`", listed)
    assert 1 < len(files) == len(set(files)) <= 20
    known = {f"veridical.{file[:-3].replace('/', '.')}" for file in files}
    reached = _imported(files[0]) & known
    for file in files[1:]:
        assert f"veridical.{file[:-3].replace('/', '.')}" in reached, file
        reached |= _imported(file) & known


def _imported(file: str) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse((SOURCE / file).read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{each.name}" for each in node.names)}
    return found


def test_its_eight_nouns_stand_in_the_files_it_says() -> None:
    nouns = dict(_NOUN.findall(PAGE))
    assert len(nouns) == 8
    for noun, file in nouns.items():
        tree = ast.parse((SOURCE / file).read_text("utf-8"))
        assert noun in _defined(tree), (noun, file)


def _defined(tree: ast.Module) -> set[str]:
    classes = {node.name for node in tree.body if isinstance(node, ast.ClassDef)}
    targets = (node.targets[0] for node in tree.body if isinstance(node, ast.Assign))
    return classes | {target.id for target in targets if isinstance(target, ast.Name)}
