"""Builds the site of every release beside each other, with a list to choose from.

    python -m docs.versions FOLDER

Every tag ``vX.Y.Z`` that has a site is checked out beside this checkout and built with its own
pages and its own configuration; this checkout is built as ``next``. ``latest`` leads to the newest
release. Nothing is committed and nothing is fetched.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
NEXT = "next"
LATEST = "latest"
_RELEASE = re.compile(r"v(\d+)\.(\d+)\.(\d+)")
_SCRIPTS = Path("assets", "node_modules")


def main(folder: Path, checkout: Path = ROOT) -> list[str]:
    """The versions that were built, the newest first."""
    tags = releases(checkout)
    for tag in tags:
        with _checked_out(checkout, tag) as tree:
            _build(tree, folder / tag)
    _build(checkout, folder / NEXT)
    newest = tags[0] if tags else NEXT
    listed = [
        {"version": each, "title": each, "aliases": [LATEST] if each == newest else []}
        for each in [NEXT, *tags]
    ]
    (folder / "versions.json").write_text(json.dumps(listed, indent=2), "utf-8")
    _lead(folder / "index.html", newest)
    _lead(folder / LATEST / "index.html", f"../{newest}")
    return [NEXT, *tags]


def releases(checkout: Path) -> list[str]:
    """The tags of releases whose tree has a site, the newest first."""
    tags = [tag for tag in _git(checkout, "tag", "--list").split() if _RELEASE.fullmatch(tag)]
    with_site = [tag for tag in tags if _git(checkout, "ls-tree", "--name-only", tag, "mkdocs.yml")]
    return sorted(with_site, key=_number, reverse=True)


def _number(tag: str) -> tuple[int, ...]:
    return tuple(int(part) for part in tag.removeprefix("v").split("."))


@contextmanager
def _checked_out(checkout: Path, tag: str) -> Iterator[Path]:
    """The tree of the tag; what npm installed is this checkout's."""
    with TemporaryDirectory(prefix="site-") as scratch:
        tree = Path(scratch, tag)
        _git(checkout, "worktree", "add", "--detach", "--quiet", str(tree), tag)
        try:
            if (checkout / _SCRIPTS).exists():
                (tree / _SCRIPTS).symlink_to((checkout / _SCRIPTS).resolve())
            yield tree
        finally:
            _git(checkout, "worktree", "remove", "--force", str(tree))


def _build(tree: Path, folder: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet"]
    subprocess.run(  # noqa: S603
        [*command, "--site-dir", str(folder.resolve())],
        cwd=tree,
        env={**os.environ, "SITE_VERSIONS": "mike", "NO_MKDOCS_2_WARNING": "1"},
        check=True,
    )


def _lead(page: Path, target: str) -> None:
    page.parent.mkdir(parents=True, exist_ok=True)
    address = f"{target}/index.html"
    page.write_text(
        f'<!doctype html><meta charset="utf-8"><title>Veridical</title>'
        f'<meta http-equiv="refresh" content="0; url={address}"><a href="{address}">{target}</a>\n',
        "utf-8",
    )


def _git(checkout: Path, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=checkout, capture_output=True, text=True, check=True)  # noqa: S603, S607
    return done.stdout


if __name__ == "__main__":
    print(*main(Path(sys.argv[1])), sep="\n")
