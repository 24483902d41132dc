"""Parameters in written statements: only those outside of quotes."""

from hypothesis import given
from hypothesis import strategies as st

from veridical.statement.driver import marked


def test_what_is_quoted_stays() -> None:
    sql = "SELECT '@1', `@2`, \"@3\", 'it''s @4', 'a\\'@5', @1 FROM t WHERE x = @12"
    written = marked(sql, "mysql", lambda number: f"<{number}>")
    assert written == ("SELECT '@1', `@2`, \"@3\", 'it''s @4', 'a\\'@5', <1> FROM t WHERE x = <12>")


@given(st.text(alphabet=st.characters(exclude_characters="'\\", exclude_categories=["Cs"])))
def test_no_text_becomes_a_parameter(text: str) -> None:
    assert marked(f"SELECT '{text}'", "mysql", lambda _: "!") == f"SELECT '{text}'"
