from pathlib import Path
from urllib.parse import unquote

import pytest

from tests.docs.markdown import ROOT, anchors, documents, links, name_of


@pytest.mark.parametrize("document", documents(), ids=name_of)
def test_internal_links_resolve(document: Path) -> None:
    broken = [target for target in links(document) if not _resolves(document, target)]
    assert not broken


def _resolves(document: Path, target: str) -> bool:
    if "://" in target or target.startswith("mailto:"):
        return True
    path, _, fragment = unquote(target).partition("#")
    aim = (document.parent / path).resolve() if path else document
    if not aim.exists():
        return False
    return not fragment or aim.suffix != ".md" or fragment in anchors(aim)


def test_every_page_can_be_reached_from_the_readme() -> None:
    readme = ROOT / "README.md"
    reached, waiting = {readme}, [readme]
    while waiting:
        page = waiting.pop()
        for target in links(page):
            aim = (page.parent / target.partition("#")[0]).resolve()
            if aim.suffix == ".md" and aim.exists() and aim not in reached:
                reached.add(aim)
                waiting.append(aim)
    assert [name_of(page) for page in documents() if page not in reached] == []
