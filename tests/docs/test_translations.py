"""German and Chinese pages show the commands of the English ones, which are run."""

from pathlib import Path

import pytest

from docs.translations import filled, main, pairs
from tests.docs.markdown import Fence, fences, links, name_of, tokens

_PAIRS = pytest.mark.parametrize(
    ("english", "translation"), list(pairs()), ids=lambda page: name_of(page)
)


def test_translations_are_up_to_date() -> None:
    assert main(check=True) == 0


@_PAIRS
def test_commands_are_those_of_the_english_page(english: Path, translation: Path) -> None:
    assert list(map(_shown, fences(translation))) == list(map(_shown, fences(english)))
    assert [fence for fence in fences(translation) if "run" in fence.words] == []


def _shown(fence: Fence) -> tuple[str, str]:
    return fence.language, "" if fence.language == "mermaid" else fence.content


@_PAIRS
def test_translations_have_the_sections_of_the_english_page(
    english: Path, translation: Path
) -> None:
    assert _headings(translation) == _headings(english)


def _headings(page: Path) -> list[str]:
    return [token.tag for token in tokens(page) if token.type == "heading_open"]


@_PAIRS
def test_languages_lead_to_each_other(english: Path, translation: Path) -> None:
    family = {english, *(other for page, other in pairs() if page == english)}
    for page in (english, translation):
        aims = {(page.parent / target).resolve() for target in links(page) if "://" not in target}
        assert family - {page} <= aims


def test_a_page_with_other_blocks_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    english, translation = tmp_path / "page.md", tmp_path / "page.de.md"
    english.write_text("```sh run\nls\n```\n", "utf-8")
    translation.write_text("Nichts.\n", "utf-8")
    monkeypatch.setattr("docs.translations.ROOT", tmp_path)
    with pytest.raises(SystemExit, match="translate what is new"):
        filled(english, translation)
    translation.write_text("```\n```\n", "utf-8")
    assert filled(english, translation) == "```sh not-run: the same as in page.md\nls\n```\n"
