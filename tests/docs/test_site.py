"""The documentation as a site: without a warning, whole, and with nothing from elsewhere."""

import json
import os
import re
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager, suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, TimeoutError

from tests.console.chromium import chromium, window
from tests.docs.markdown import ROOT, documents, name_of, tokens

_COUNTED = {
    "heading_open": r"<h[1-6]\b",
    "list_item_open": r"<li\b",
    "table_open": r"<table>",
    "fence": r'<div class="[^"]*\bhighlight\b|<pre class="mermaid"',
}
"""Tokens of Markdown, and what the site shows for each."""
_LOADED = re.compile(r"""<(?:script|link|img|iframe)\b[^>]*?\b(?:src|href)=["']?([^"'\s>]+)""")
_ENTRY = re.compile(r"- \[[^]]+]\(([^)]+\.md)\): .{10,}")
_ATTEMPTS, _MOMENT = 12, 5_000
_PAGES = [page for page in documents() if not {".github", "skills"} & set(page.parts)]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_every_page_is_there_as_it_was_written(site: Path) -> None:
    """Two parsers of Markdown agree on what is a heading, a list, a table and a block of code."""
    differ = {name_of(page): _difference(page, _built(site, page)) for page in _PAGES}
    assert {name: found for name, found in differ.items() if found} == {}


def _difference(page: Path, html: str) -> dict[str, tuple[int, int]]:
    article = html.partition("<article")[2].partition("</article>")[0]
    written = Counter("fence" if each.type == "code_block" else each.type for each in tokens(page))
    shown = {kind: len(re.findall(pattern, article)) for kind, pattern in _COUNTED.items()}
    return {kind: (written[kind], n) for kind, n in shown.items() if written[kind] != n}


def test_nothing_comes_from_elsewhere(site: Path) -> None:
    loaded = {
        (page.name, address)
        for page in site.rglob("*.html")
        for address in _LOADED.findall(page.read_text("utf-8"))
        if re.match(r"(?:https?:)?//", address)
    }
    assert loaded == set()
    styles = [each.read_text("utf-8") for each in site.rglob("*.css")]
    assert [style for style in styles if re.search(r"url\(['\"]?https?:|@import", style)] == []


def test_search_knows_every_page(site: Path) -> None:
    index = json.loads((site / "search/search_index.json").read_text("utf-8"))
    known = {entry["location"].partition("#")[0] for entry in index["docs"]}
    assert {_address(page) for page in _PAGES} - known == set()
    assert (site / "search/search_index.js").exists()


def test_programs_read_every_page_as_markdown_and_find_it_in_a_list(site: Path) -> None:
    missing = [name for page in _PAGES if not (site / (name := name_of(page))).is_file()]
    assert missing == []
    assert "```sql file=" not in (site / "README.md").read_text("utf-8")
    head, *lines = (site / "llms.txt").read_text("utf-8").splitlines()
    entries = [found for line in lines if (found := _ENTRY.fullmatch(line))]
    sections = [line for line in lines if line.startswith("## ")]
    assert head == "# Veridical"
    assert {"## How to", "## Reference", "## 中文"} <= set(sections)
    assert [line for line in lines if line.startswith("- ")] == [each[0] for each in entries]
    assert [each[1] for each in entries if not (site / each[1]).is_file()] == []
    assert {name_of(page) for page in _PAGES if page.parent.name == "how-to"} <= {
        each[1] for each in entries
    }


@pytest.mark.slow
def test_search_finds_words_of_all_three_languages(site: Path) -> None:
    with chromium() as browser, _hosted(site) as address:
        page = window(browser).new_page()
        for word in ("balance", "Konto", "余额"):
            page.goto(f"{address}/index.html")
            assert _found_by(page, word), word


@pytest.mark.slow
def test_search_works_from_a_folder(site: Path) -> None:
    with chromium() as browser:
        page = window(browser).new_page()
        for word in ("balance", "Konto", "余额"):
            page.goto((site / "index.html").as_uri())
            assert _found_by(page, word), word


@contextmanager
def _hosted(site: Path) -> Generator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Files, directory=str(site))) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


class _Files(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Nobody reads it."""


def _found_by(page: Page, word: str) -> list[str]:
    """What is listed for a word; typed again while the index is being loaded, as people do."""
    field = page.locator("[data-md-component=search-query]")
    listed = page.locator(".md-search-result__item h1")
    for _ in range(_ATTEMPTS):
        field.click()
        field.fill("")
        field.press_sequentially(word)
        field.press("Shift")  # a key goes up, as when an input method ends: the theme waits for it
        with suppress(TimeoutError):
            listed.first.wait_for(timeout=_MOMENT)
            return listed.all_inner_texts()
    return []


def _built(site: Path, page: Path) -> str:
    return (site / _address(page)).read_text("utf-8")


def _address(page: Path) -> str:
    shown = page.relative_to(ROOT).with_suffix(".html")
    return str(shown.with_name("index.html") if page.name == "README.md" else shown)
