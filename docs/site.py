"""What ``mkdocs`` does besides: pages from the whole checkout, their order from docs/README.md.

A page stands in the site where it stands in the checkout, so that every link of the Markdown leads
to the same place in both. Pages are all Markdown that the README leads to, and the files that they
link to come along. Words behind the language of a code block are for the tests; the file that a
block is written to becomes its title.
"""

import re
import shutil
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import rjieba
from markdown_it.token import Token
from material.plugins.search import plugin as search_plugin
from mkdocs.config.defaults import MkDocsConfig

from tests.docs.markdown import ROOT, documents, links, tokens

INDEX = ROOT / "docs" / "README.md"
_LANGUAGE = re.compile(r"^(```+)([\w-]+)(?: +(.*))?$", re.M)
_FILE = re.compile(r"\bfile=(\S+)")
_SENTENCE = re.compile(r"(?<=[.!?])\s|(?<=。)")
_SCRIPTS = ROOT / "assets" / "node_modules"
_LOADED = {
    _SCRIPTS / "@mermaid-js/tiny/dist/mermaid.tiny.js": "assets/mermaid.js",
    _SCRIPTS / "iframe-worker/shim/index.js": "assets/iframe-worker.js",
    ROOT / "docs/site.css": "assets/site.css",
    ROOT / "src/veridical/console/static/icon.svg": "assets/icon.svg",
}
"""What every page loads, and where it stands in the site."""
_STAGED = ROOT / "build" / "site-source"
_OUTSIDE = {".github", "skills"}
"""Folders whose Markdown is for another program."""
NavItem = str | dict[str, "str | list[NavItem]"]


class _Words:
    """The words of Chinese text, for the index of the search: Chinese has no spaces. Stands in for
    the segmenter that the theme would take if it were installed."""

    @staticmethod
    def cut(text: bytes) -> list[str]:
        """The words in their order."""
        return rjieba.cut(text.decode())


def on_startup(**_: object) -> None:
    """The search knows words of Chinese, too."""
    search_plugin.jieba = _Words


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """The checkout's pages are gathered in one folder, and the navigation is made."""
    config.docs_dir = str(_STAGED)
    config.nav = navigation()
    stage(_STAGED)
    return config


def on_post_build(config: MkDocsConfig) -> None:
    """For programs that read: every page as Markdown beside its HTML, and a list of all of them."""
    site = Path(config.site_dir)
    for page in pages():
        shutil.copyfile(_STAGED / _uri(page), _put(site, page))
    (site / "llms.txt").write_text(
        as_list(config.site_name, config.site_description or ""), "utf-8"
    )


def as_list(name: str, description: str) -> str:
    """The pages by section, each with its first sentence."""
    lines = [f"# {name}", "", f"> {description}"]
    for title, entries in [("Start", [("README", ROOT / "README.md")]), *_sections(INDEX)]:
        lines += ["", f"## {title}", ""]
        lines += [f"- [{text}]({_uri(page)}): {first_sentence(page)}" for text, page in entries]
    return "\n".join(lines) + "\n"


def first_sentence(page: Path) -> str:
    """What a page begins with, behind its title and the links to its translations."""
    parsed = tokens(page)
    paragraphs = (after for token, after in pairwise(parsed) if token.type == "paragraph_open")
    texts = (" ".join(_text(each).split()) for each in paragraphs if not _is_switch(each))
    return _SENTENCE.split(next(texts), maxsplit=1)[0]


def _text(inline: Token) -> str:
    breaks = {"softbreak": " ", "hardbreak": " "}
    return "".join(breaks.get(each.type, each.content) for each in inline.children or ())


def _is_switch(inline: Token) -> bool:
    return " · " in inline.content and "](" in inline.content


def stage(folder: Path) -> None:
    """Every page, with its fences as the site reads them, and every file that a page links to."""
    shutil.rmtree(folder, ignore_errors=True)
    for page in pages():
        _put(folder, page).write_text(as_site(page), "utf-8")
        for file in filter(_is_copied, (_aim(page, target) for target in links(page))):
            shutil.copyfile(file, _put(folder, _as_copied(file)))
    for source, name in _LOADED.items():
        if not source.exists():
            raise SystemExit(f"{_uri(source)} is missing: run `.ci/run setup`")
        shutil.copyfile(source, _put(folder, ROOT / name))


def pages() -> list[Path]:
    """The Markdown of the checkout that people read."""
    return [page for page in documents() if not _OUTSIDE.intersection(page.parts)]


def as_site(page: Path) -> str:
    """The page's Markdown, as the site's parser takes it."""
    text = _LANGUAGE.sub(_fence, page.read_text("utf-8"))
    shown = set(pages())
    for target in filter(_is_local, set(links(page))):
        aim = _aim(page, target)
        if _is_copied(aim):
            text = text.replace(
                f"]({target})", f"]({target.replace(aim.name, _as_copied(aim).name)})"
            )
        elif aim not in shown:  # a folder of sources is no page
            text = re.sub(rf"\[([^\]]*)\]\({re.escape(target)}\)", r"\1", text)
    return text


def _is_local(target: str) -> bool:
    return not re.match(r"\w+:", target)


def _is_copied(file: Path) -> bool:
    return file.is_file() and file.suffix != ".md"


def _as_copied(file: Path) -> Path:
    """A page of its own has the name of none that is made from Markdown."""
    return file.with_suffix(".whole.html") if file.suffix == ".html" else file


def _fence(found: re.Match[str]) -> str:
    file = _FILE.search(found[3] or "")
    title = f' title="{file[1]}"' if file else ""
    return f"{found[1]}{found[2]}{title}"


def navigation() -> list[NavItem]:
    """The sections of docs/README.md with their pages; the README is the first page."""
    nav: list[NavItem] = [{"Home": ["README.md", {"All pages": _uri(INDEX)}]}]
    for title, entries in _sections(INDEX):
        nav.append({title: [_entry(text, page) for text, page in entries]})
    return nav


def _entry(text: str, page: Path) -> NavItem:
    """A page; one that is a list of pages itself comes with these."""
    inner = [
        each for each in _listed(page) if page.name == "README.md" and each[1].parent == page.parent
    ]
    if not inner:
        return {text: _uri(page)}
    return {text: [_uri(page), *({title: _uri(aim)} for title, aim in inner)]}


def _sections(page: Path) -> Iterator[tuple[str, list[tuple[str, Path]]]]:
    parsed = tokens(page)
    starts = [place for place, each in enumerate(parsed) if each.type == "heading_open"]
    for start, end in zip(starts[1:], [*starts[2:], len(parsed)], strict=True):
        yield parsed[start + 1].content, list(_listed(page, start, end))


def _listed(page: Path, start: int = 0, end: int | None = None) -> Iterator[tuple[str, Path]]:
    """The links of lists to pages: their text and where they lead."""
    depth = 0
    for token in tokens(page)[start:end]:
        depth += {"list_item_open": 1, "list_item_close": -1}.get(token.type, 0)
        children = token.children or [] if depth else []
        for place, child in enumerate(children):
            aim = _aim(page, str(child.attrs.get("href", "")))
            if child.type == "link_open" and aim.suffix == ".md":
                closed = next(
                    n for n, e in enumerate(children) if n > place and e.type == "link_close"
                )
                yield "".join(each.content for each in children[place:closed]), aim


def _aim(page: Path, target: str) -> Path:
    return (page.parent / target.partition("#")[0]).resolve()


def _uri(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def _put(folder: Path, file: Path) -> Path:
    target = folder / _uri(file)
    target.parent.mkdir(parents=True, exist_ok=True)
    return target
