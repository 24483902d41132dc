from hypothesis import given
from hypothesis import strategies as st

from veridical.gate.known_values import KnownValues


@given(st.lists(st.text(max_size=20), max_size=5), st.sampled_from("\n\r\v\f\x1c\x85\u2028"))
def test_lines_that_were_read_before_hold_the_same_words(lines: list[str], end: str) -> None:
    text = end.join(lines)
    whole, by_line = KnownValues(), KnownValues()
    whole.add_result({text: None})
    by_line.add_words((text,))
    assert by_line.words == whole.words


def test_a_name_is_known_by_its_parts_whatever_its_case() -> None:
    known = KnownValues()
    known.add_words(("- TrusteeDataAccount.account_number text: e.g. A-100\n",))
    for word in ("trusteedataaccount", "Account", "number", "a100"):
        assert known.has_word(word)
    assert not known.has_word("A-200")
