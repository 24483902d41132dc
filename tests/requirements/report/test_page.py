"""The page: one file that loads and runs nothing, whatever a requirement says."""

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.effort import examples
from veridical.contracts.language import Language
from veridical.requirements.files.requirement import Requirement
from veridical.requirements.policy.judgement import Judgement, dismissal_of, judge
from veridical.requirements.policy.review_policy import ReviewPolicy
from veridical.requirements.report.page import as_page
from veridical.requirements.review import review

HOSTILE = (
    "<script>alert(1)</script> must be fast",
    '"><img src=x onerror=alert(1)> must be fast',
    "</title></style><svg onload=alert(1)> shall be fast",
    "'-->]]><iframe srcdoc='<script>'> muss schnell sein",
    "{{ 7*7 }} {% include '/etc/passwd' %} must be fast",
    "javascript:alert(1) must be \u202efast\x00\x1b[31m",
    "&lt;b&gt; must be fast &#60;script&#62;",
)
TAGS = {"html", "head", "meta", "title", "style", "body", "header", "nav", "main", "section"} | {
    *("h1", "h2", "h3", "p", "a", "ul", "li", "dl", "dt", "dd", "table", "thead", "tbody", "tr"),
    *("th", "td", "svg", "rect", "article", "span", "mark", "sup", "strong"),
}
ATTRIBUTES = {"lang", "charset", "name", "content", "http-equiv", "aria-label", "href", "id"} | {
    *("class", "scope", "role", "viewbox", "preserveaspectratio", "width", "height", "title"),
}


class _Read(HTMLParser):
    """The page as a browser sees it: elements, attributes, links and text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str]] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(page)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag not in {"meta", "rect"}:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def _judged(*texts: str, source: str = "a.md", key: str = "") -> Judgement:
    requirements = [
        Requirement(key or str(place), source, place, text) for place, text in enumerate(texts, 1)
    ]
    return judge(review(requirements), ReviewPolicy())


def _harmless(page: str) -> _Read:
    read = _Read(page)
    assert read.tags <= TAGS
    assert {name for name, _ in read.attributes} <= ATTRIBUTES
    links = [value for name, value in read.attributes if name == "href"]
    ids = [value for name, value in read.attributes if name == "id"]
    assert len(ids) == len(set(ids))
    assert {link.removeprefix("#") for link in links} <= set(ids)
    assert not re.search(r"[\x00-\x08\x0b-\x1f\u202a-\u202e]", page)
    return read


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_are_shown_and_never_obeyed(text: str, language: Language) -> None:
    found = _judged(text, source=f"{text}.md", key=text)
    issue = found.issues[0]
    record = dismissal_of(found.review, issue, text, text, text)
    judged = judge(found.review, ReviewPolicy(), (), {issue.fingerprint: record})
    for page in (as_page(found, language), as_page(judged, language)):
        read = _harmless(page)
        visible = re.sub(r"[\x00-\x08\x0b-\x1f\u202a-\u202e]", "�", text)
        assert visible in read.text


@settings(max_examples=examples(40))
@given(st.lists(st.text(min_size=1).filter(str.strip), min_size=1, max_size=3))
def test_any_text_is_harmless(texts: list[str]) -> None:
    assert _harmless(as_page(_judged(*(f"{text} must be fast" for text in texts))))


def test_policy_of_the_page_lets_nothing_load_or_run() -> None:
    page = as_page(_judged("It must be fast."))
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy
    assert "<script" not in page
    assert "style=" not in page


def test_marks_carry_reason_and_lead_to_the_fix() -> None:
    page = as_page(_judged("The app must be fast."))
    found = re.search(r'<mark class="high" title="([^"]*)">fast<sup><a href="#(r0-\d)">VAG', page)
    assert found
    assert "measured" in found[1]
    assert f'<li id="{found[2]}"><strong>VAG</strong>' in page
    assert "Replace it with a value" in page


def test_overlapping_marks_keep_the_text() -> None:
    text = "It should be fast and it should be very fast, if possible, etc."
    read = _harmless(as_page(_judged(text)))
    page = as_page(_judged(text))
    (shown,) = re.findall(r'<p class="text">(.*?)</p>', page, re.S)
    without = re.sub(r"<sup>.*?</sup>|<[^>]*>", "", shown)
    assert without == text
    assert "ESC" in read.text


def test_pairs_are_shown_with_both_texts_and_what_to_do() -> None:
    read = _harmless(
        as_page(_judged("The belt shall stop within 2 s.", "The belt shall stop within 20 s."))
    )
    assert "Conflict" in read.text
    assert "Settle which of the two holds" in read.text


def test_bars_have_names_for_those_who_do_not_see_them() -> None:
    read = _harmless(as_page(_judged("The app must be fast."), Language.DE))
    labels = [value for name, value in read.attributes if name == "aria-label"]
    assert "Messbarkeit: 0.50 von 1" in labels
    assert ("role", "img") in read.attributes
    assert ("lang", "de") in read.attributes


def test_large_reviews_show_the_weakest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("veridical.requirements.report.page._SHOWN", 3)
    page = as_page(_judged(*(f"Part {n} must be fast." for n in range(5)), "It should ring."))
    assert page.count('<article class="fail" id=') == 3
    assert "It should ring" not in page
