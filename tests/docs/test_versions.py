"""The site of several releases, built from a repository that has some."""

import json
import subprocess
from pathlib import Path

import pytest

from docs.versions import LATEST, NEXT, main, releases

_SETTINGS = """site_name: Small
theme: {name: material, font: false}
extra: {version: {provider: !ENV [SITE_VERSIONS, none]}}
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Three releases, of which the first has no site, and a change after them."""
    folder = tmp_path / "checkout"
    (folder / "docs").mkdir(parents=True)
    _git(folder, "init", "--quiet")
    _release(folder, "v0.9.0")
    (folder / "mkdocs.yml").write_text(_SETTINGS, "utf-8")
    _release(folder, "v0.10.0")
    _release(folder, "v0.9.1")
    _git(folder, "tag", "something-else")
    (folder / "docs/index.md").write_text("# After them\n", "utf-8")
    return folder


def test_releases_with_a_site_are_listed_by_their_number(checkout: Path) -> None:
    assert releases(checkout) == ["v0.10.0", "v0.9.1"]


def test_every_version_is_built_from_its_own_pages(checkout: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    assert main(site, checkout) == [NEXT, "v0.10.0", "v0.9.1"]
    listed = json.loads((site / "versions.json").read_text("utf-8"))
    assert [(each["version"], each["aliases"]) for each in listed] == [
        (NEXT, []),
        ("v0.10.0", [LATEST]),
        ("v0.9.1", []),
    ]
    for version, title in ((NEXT, "After them"), ("v0.10.0", "v0.10.0"), ("v0.9.1", "v0.9.1")):
        page = (site / version / "index.html").read_text("utf-8")
        assert f">{title}" in page
        assert '"provider": "mike"' in page
    assert "url=v0.10.0/index.html" in (site / "index.html").read_text("utf-8")
    assert "worktree" not in _git(checkout, "worktree", "list").removeprefix(str(checkout))


def _release(folder: Path, tag: str) -> None:
    (folder / "docs/index.md").write_text(f"# {tag}\n", "utf-8")
    _git(folder, "add", "--all")
    author = ("-c", "user.name=Somebody", "-c", "user.email=somebody@mail.test")
    _git(folder, *author, "commit", "--quiet", "--message", tag)
    _git(folder, "tag", tag)


def _git(folder: Path, *words: str) -> str:
    return subprocess.run(
        ["git", *words], cwd=folder, capture_output=True, text=True, check=True
    ).stdout
