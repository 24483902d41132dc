"""What is dropped before scoring, and why."""

from typing import Any

import pytest

from tests.search.found import DAY, NOW, candidate, scored
from veridical.contracts.search_candidate import SearchCandidate
from veridical.search.score.address import SourcePatterns, bucket
from veridical.search.score.prefilter import jurisdiction_fits, version_fits
from veridical.search.score.settings import ScoreSettings, Stage


def dropped(*found: SearchCandidate, off: Any = None, **asked: Any) -> dict[str, str]:
    settings = ScoreSettings(off=frozenset({off} if off else ()))
    result = scored(found, settings=settings, **asked)
    return {each.id: each.reason for each in result.flags.debug.pre_filter.dropped}


CASES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("stale", {"detected_date": NOW - 400 * DAY}, {}),
    ("disallowed_source", {"url": "https://x.bad.net/y"}, {"disallowed_sources": ["bad.net"]}),
    ("collection", {"collection": "other"}, {"collection_scope": "mine"}),
    ("version", {"version": "v2.1"}, {"version_target": "3"}),
    ("jurisdiction", {"jurisdiction": "US"}, {"jurisdiction": "DE"}),
]  # fmt: skip


@pytest.mark.parametrize(("reason", "told", "asked"), CASES, ids=lambda case: str(case)[:20])
def test_each_reason(reason: str, told: dict[str, Any], asked: dict[str, Any]) -> None:
    assert dropped(candidate("a", 1, **told), candidate("b", 2), **asked) == {"a": reason}


@pytest.mark.parametrize(("reason", "told", "asked"), CASES, ids=lambda case: str(case)[:20])
def test_switched_off_only_what_may_not_be_used_is_dropped(
    reason: str, told: dict[str, Any], asked: dict[str, Any]
) -> None:
    found = dropped(candidate("a", 1, **told), off=Stage.PREFILTER, **asked)
    assert found == ({"a": reason} if reason in ("disallowed_source", "collection") else {})


def test_of_two_copies_the_more_relevant_stays() -> None:
    same = {"title": "T", "snippet": "The same text"}
    assert dropped(candidate("a", 2, **same), candidate("b", 1, **same)) == {"a": "duplicate"}
    passages = {"content_hash": "1"}
    assert dropped(candidate("a", 1, **passages), candidate("b", 2, **passages)) == {}
    textless = {"title": "", "snippet": "", "content_hash": "1"}
    two = candidate("a", 1, **textless), candidate("b", 2, **textless)
    assert dropped(*two) == {"b": "duplicate"}


def test_what_says_nothing_of_itself_is_kept() -> None:
    asked = {"version_target": "3", "jurisdiction": "DE", "collection_scope": "mine"}
    assert dropped(candidate("a", 1, detected_date=None), **asked) == {}


@pytest.mark.parametrize(
    ("pattern", "url", "names"),
    [
        ("example.org", "https://example.org/x", True),
        ("example.org", "http://www.EXAMPLE.org./x", True),
        ("example.org", "https://user@sub.example.org:8080/x", True),
        ("example.org", "https://notexample.org/x", False),
        ("example.org", "https://example.org.evil.net/x", False),
        ("example.org/drafts", "https://example.org/drafts/1", True),
        ("example.org/drafts", "https://example.org/final/../drafts/1", True),
        ("example.org/drafts", "https://example.org/drafts2", False),
        ("example.org/drafts", "https://example.org/%64rafts/1", True),
        ("https://example.org", "http://example.org/x", True),
        ("https://example.org", "https://sub.example.org/x", False),
        ("intranet://legal", "intranet://legal/policy/1", True),
        ("intranet://legal", "wiki://legal/policy/1", False),
        ("file:///srv/drafts", "file:///srv/drafts/a%20b.md#2", True),
        ("file:///srv/drafts", "file:///srv/drafts2/a.md", False),
        ("file:///srv/drafts", "https://srv/drafts", False),
        ("srv/drafts", "file:///srv/drafts/a.md", False),
        ("", "https://example.org", False),
        ("example.org", "", False),
        ("example.org", "http://[broken", False),
    ],
)
def test_patterns_name_sources(pattern: str, url: str, names: bool) -> None:
    assert SourcePatterns([pattern]).name(url) is names


@pytest.mark.parametrize(
    ("url", "domain_type", "kind"),
    [
        ("https://www.agency.gov/x", None, "government"),
        ("https://www.bk.admin.ch/x", None, "government"),
        ("https://eur-lex.europa.eu/x", None, "government"),
        ("https://shop.com", None, "commercial"),
        ("intranet://legal", None, "internal"),
        ("https://firma.de/x", None, "firma.de"),
        ("https://arxiv.org/abs/1", None, "academic"),
        ("file:///srv/a.md", None, "internal"),
        ("https://shop.com", "Government", "government"),
        ("", None, ""),
    ],
)
def test_kinds_of_source(url: str, domain_type: str | None, kind: str) -> None:
    assert bucket(url, domain_type) == kind


@pytest.mark.parametrize(
    ("target", "found", "fits"),
    [("3", "3.2", True), ("3.2", "3", True), ("3", "30", False), ("v3.1", "3.1-beta", True),
     ("3.1", "v3.2", False), ("2024", "2024", True)],
)  # fmt: skip
def test_versions_fit(target: str, found: str, fits: bool) -> None:
    assert version_fits(target, found) is fits


@pytest.mark.parametrize(
    ("target", "found", "fits"),
    [("DE", "de", True), ("DE", "EU", True), ("DE-BY", "DE", True), ("DE-BY", "EU", True),
     ("CH", "EU", False), ("DE", "DE-BY", False), ("CH", "INT", True), ("DE", "AT", False)],
)  # fmt: skip
def test_jurisdictions_fit(target: str, found: str, fits: bool) -> None:
    assert jurisdiction_fits(target, found) is fits
