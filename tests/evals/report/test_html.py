from base64 import b64encode
from hashlib import sha256

import pytest

from tests.evals.records import HEADER
from tests.evals.report.pages import Page
from tests.evals.report.reports import HOSTILE, hostile_report, plain_report
from veridical.evals.report.html import as_html
from veridical.evals.report.report_data import Report, build_report

EMPTY = build_report(HEADER, [])


@pytest.mark.parametrize("report", [plain_report(), hostile_report(), EMPTY])
def test_the_page_is_well_formed_and_needs_nothing_else(report: Report) -> None:
    page = Page(as_html(report))
    assert page.unclosed == []
    assert {name for name, _ in page.elements} & {"img", "link", "iframe", "object"} == set()
    assert page.values("src") == []
    assert all(link.startswith("#") for link in page.values("href"))


@pytest.mark.parametrize("report", [plain_report(), hostile_report()])
def test_every_link_leads_somewhere_and_no_place_is_named_twice(report: Report) -> None:
    page = Page(as_html(report))
    places = page.values("id")
    assert len(places) == len(set(places))
    assert {link.removeprefix("#") for link in page.values("href")} <= set(places)


def test_markup_in_texts_stays_text() -> None:
    text = as_html(hostile_report())
    page = Page(text)
    assert sum(name == "script" for name, _ in page.elements) == 1
    assert not [name for _, held in page.elements for name in held if name.startswith("on")]
    assert "steal()" not in "".join(page.texts["script"])
    assert "<script>steal()" in "".join(page.texts["main"])
    assert "\x00" not in text
    kept = HOSTILE.replace("\x00", "�")
    assert kept in "".join(page.texts["pre"])


def test_the_policy_allows_the_pages_own_style_and_script_only() -> None:
    page = Page(as_html(plain_report()))
    (policy,) = [
        held["content"] for _, held in page.elements if "Policy" in held.get("http-equiv", "")
    ]
    for name in ("style", "script"):
        (text,) = page.texts[name]
        digest = b64encode(sha256(text.encode()).digest()).decode()
        assert f"{name}-src 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy
    assert page.values("style") == []


def test_simulated_figures_say_so_everywhere() -> None:
    simulated = HEADER.model_copy(update={"simulated": True, "model": "faulty"})
    page = Page(as_html(plain_report(simulated)))
    for told in ("caption", "title", "svg"):
        assert page.texts[told]
        assert all("simulated" in text for text in page.texts[told]), told
    runs = [held for _, held in page.elements if held.get("class") == "run"]
    assert len(runs) == sum("· simulated" in text for text in page.texts["summary"]) == 12
    assert "simulated" not in Page(as_html(plain_report())).texts["body"][0]


def test_tables_have_headings_for_readers_who_listen() -> None:
    page = Page(as_html(plain_report()))
    headings = [held for name, held in page.elements if name == "th"]
    assert headings
    assert {held.get("scope") for held in headings} == {"col", "row"}
    drawings = [held for name, held in page.elements if name == "svg"]
    assert {held.get("role") for held in drawings} == {"img"}
    assert len(page.texts["desc"]) == len(drawings) > 0
    assert all(page.texts["desc"])


def test_what_a_run_was_made_with_is_at_the_top() -> None:
    told = "".join(Page(as_html(plain_report())).texts["header"])
    for value in ("trustee core", "local:small", "0.1.0", "temperature", "0.7"):
        assert value in told
