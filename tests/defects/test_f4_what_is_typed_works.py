"""What the documents have a reader type works from a clone, with the extras that they name."""

import re
from pathlib import Path

import pytest

from tests.docs.markdown import CORE, ROOT, documents, fences, installed, name_of
from tests.without_extras import python

README = ROOT / "README.md"
TUTORIAL = ROOT / "docs" / "tutorial"
BLOCKS = tuple(fences(README))
SAMPLES = [
    place
    for place, block in enumerate(BLOCKS)
    if block.language == "python" and block.value("with")
]
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
    assert installed(TUTORIAL / "first-check.md") == CORE
    assert set(installed(TUTORIAL / "own-database.md").split(",")) == {
        *("agent", "edit", "engine", "local", "mysql", "server")
    }
    offered = set(re.findall(r'pip install "\.\[([\w,]+)]"', README.read_text("utf-8"))) | {CORE}
    named = {extras for fence in BLOCKS if (extras := fence.value("with"))}
    assert named == offered - {"all"}


@pytest.mark.parametrize("place", SAMPLES)
def test_f4_a_sample_runs_with_the_extras_that_it_names(tmp_path: Path, place: int) -> None:
    for block in BLOCKS[:place]:
        if written := block.value("file"):
            (tmp_path / written).write_text(block.content, "utf-8")
    sample, shown = BLOCKS[place : place + 2]
    extras = sample.value("with") or ""
    done = python(sample.content, tmp_path, tuple(extras.split(",")) if extras != CORE else ())
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(shown.content.partition("\n...")[0].strip())
