import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.evals.report.pages import Page
from veridical.evals.report.escaping import fitted, safe


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cn"])))
def test_safe_text_reads_as_it_was_written(text: str) -> None:
    page = Page(f'<p title="{safe(text)}">{safe(text)}</p>')
    assert page.elements == [("p", {"title": text})]
    assert page.texts["p"] == [text]


@pytest.mark.parametrize("text", ["\x00", "\ud800", "\x1b[31m", "\ufffe"])
def test_what_no_page_can_hold_is_replaced(text: str) -> None:
    assert safe(text).startswith("�")
    safe(text).encode()


def test_line_ends_of_any_kind_are_kept() -> None:
    assert safe("a\r\nb\nc") == "a\nb\nc"


@given(st.text(), st.integers(1, 20))
def test_a_fitted_text_is_short_enough_and_whole_where_it_can_be(text: str, most: int) -> None:
    assert len(fitted(text, most)) <= most
    assert (fitted(text, most) == text) is (len(text) <= most)
