"""Whatever the text is: no error, places that are right, no overlaps."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.effort import examples
from veridical.contracts.proof import ClaimKind
from veridical.gate.claims import find_claims
from veridical.gate.layout import read_layout

pytestmark = pytest.mark.slow

PIECES = [
    "CHF ", "$", "€", "Fr. ", "1'234.50", "1.234,50", "1,234", "12", "5", "2024", "31.12.2025",
    "-", "–", "(", ")", " ", "\n", ".", ",", ":", "/", "%", " Mio. ", "k", "万", "亿", "元",
    "第", "年", "月", "日", "一百二十", "三", "Q3", "FY", "März", "May", "Ende ", "AG",
    "Muster ", "Herr ", "three ", "nur eine ", " und ", "|", "#", "* ", "- ", "1. ", "**", "`",
    "@", "http://", "+41 ", "CH93 ", "x", "'", "’", "\u00a0", "pm", " Uhr", "=", "×", "\"", "„",
    "“", "a", "ß", "五点", "下午", "点", "bps", "basis points", "iPhone ",
]  # fmt: skip
TEXTS = st.one_of(st.text(max_size=60), st.lists(st.sampled_from(PIECES), max_size=14).map("".join))


@given(TEXTS, TEXTS)
@settings(max_examples=examples(600), deadline=None)
def test_places_are_right_in_any_text(text: str, question: str) -> None:
    claims = find_claims(text, question)
    for claim in claims:
        assert text[claim.start : claim.end] == claim.text
        assert claim.start < claim.end
    starts = [claim.start for claim in claims]
    assert starts == sorted(starts)
    single = [claim for claim in claims if claim.kind is not ClaimKind.LIST]
    for first, second in pairwise(single):
        assert first.end <= second.start


@given(TEXTS)
@settings(max_examples=examples(400), deadline=None)
def test_a_layout_covers_every_word_of_any_text(text: str) -> None:
    layout = read_layout(text)
    ends = 0
    for segment in layout.segments:
        assert ends <= segment.start < segment.end <= len(text)
        clauses = layout.clauses(segment)
        assert all(segment.start <= each.start < each.end <= segment.end for each in clauses)
        ends = segment.end
    for offset in range(len(text)):
        layout.segment_at(offset)
        layout.clause_at(offset)
