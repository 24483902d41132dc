import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.gate.quotations.folded import fold


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("He said “no”", 'He said "no"'),
        ("it’s", "it's"),
        ("a – b", "a - b"),
        ("a—b", "a - b"),
        ("2019–2020", "2019-2020"),
        ("5 %", "5%"),
        ("so…", "so..."),
        ("ﬁne", "fine"),
        ("Cafe\u0301", "Café"),
        ("a\u00a0b\n c", "a b c"),
        ("**bold** and _plain_", "bold and plain"),
        ("共 308 分，好", "共308分,好"),
        ("soft\u00adly", "softly"),
        ("１９９８ von", "1998 von"),
    ],
)
def test_what_may_be_written_otherwise_is_alike(one: str, other: str) -> None:
    assert fold(one).text == fold(other).text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("no where", "nowhere"),
        ("of -5", "of 5"),
        ("10²", "102"),
        ("2*3", "23"),
        ("snake_case", "snakecase"),
        ("US", "us"),
        ("a, b", "a b"),
    ],
)
def test_what_says_something_else_is_not(one: str, other: str) -> None:
    assert fold(one).text != fold(other).text


@given(st.text(st.sampled_from("aé1 \n-–—.…*_“'ﬁ½中，\u0301\u00ad%"), max_size=40))
def test_every_place_is_found_again(text: str) -> None:
    folded = fold(text)
    last = 0
    for at in range(len(folded.text)):
        start, end = folded.span(at, at + 1)
        assert 0 <= start <= end <= len(text)
        assert start >= last
        last = start
    whole = folded.span(0, len(folded.text)) if folded.text else (0, 0)
    assert whole[1] <= len(text)
