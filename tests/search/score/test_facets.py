"""The estimate of coverage from words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.contracts.search_candidate import CoverageDimension
from veridical.search.score.facets import estimate


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a catalog of blogs", {}),
        ("logs of the audit", {"LOGGING_AUDIT": 0.75}),
        ("Datenschutzgesetz", {"LEGAL": 0.5, "ACCESS_PRIVACY_SECURITY": 0.5}),
        ("Protokolle der Zugriffe", {"LOGGING_AUDIT": 0.5, "ACCESS_PRIVACY_SECURITY": 0.5}),
        ("The API", {"TECHNICAL": 0.5, "API_INTEGRATION": 0.5}),
        ("审计日志", {"LOGGING_AUDIT": 0.75}),
        ("", {}),
    ],
)
def test_estimates(text: str, found: dict[str, float]) -> None:
    assert estimate("", text) == found
    assert estimate(text, "") == found


@given(st.text(), st.text())
def test_estimates_are_shares(title: str, snippet: str) -> None:
    found = estimate(title, snippet)
    assert all(0 < share <= 1 for share in found.values())
    assert found.keys() <= set(CoverageDimension)
