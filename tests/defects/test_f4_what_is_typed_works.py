"""What the documents have a reader type works from a clone, with the extras that they
name: ``tests/release`` types it; here is what they name."""

import re

from tests.docs.markdown import ROOT, documents, fences, installed, name_of

README = ROOT / "README.md"
TUTORIAL = ROOT / "docs" / "tutorial"
BLOCKS = tuple(fences(README))
_FROM_AN_INDEX = re.compile(
    r"""pip install (?:--?\S+ )*["']?veridical(?:\[[\w,]+])?(?! @)["'\s`.]"""
)


def test_f4_nobody_is_told_to_install_what_no_index_has() -> None:
    others = (*(ROOT / "examples").rglob("*.yml"), *(ROOT / "deploy").rglob("*"))
    pages = [*documents(), *(path for path in others if path.is_file())]
    told = {
        name_of(page): _FROM_AN_INDEX.findall(page.read_text("utf-8"))
        for page in pages
        if page.name != "CHANGELOG.md"
    }
    assert {page: found for page, found in told.items() if found} == {}


def test_f4_each_block_needs_what_the_document_has_installed() -> None:
    assert installed(README) == "all"
    assert installed(TUTORIAL / "first-check.md") == "cli"
    assert set(installed(TUTORIAL / "own-database.md").split(",")) == {
        *("agent", "engine", "local", "mysql", "server")
    }
    offered = set(re.findall(r'pip install "\.\[([\w,]+)]"', README.read_text("utf-8")))
    named = {extras for fence in BLOCKS if (extras := fence.value("with"))}
    assert named == offered - {"all"}
