from hypothesis import given
from hypothesis import strategies as st

from veridical.reading.punctuation import LIST_MARKS, marks


@given(st.text(st.sampled_from(",.;:!?()")))
def test_every_plain_mark_has_a_wide_one(plain: str) -> None:
    found = marks(plain)
    assert found.startswith(plain)
    wide = found.removeprefix(plain)
    assert len(wide) == len(plain)
    assert not any(mark.isascii() for mark in wide)


@given(st.text(st.characters(categories=["L", "N"])))
def test_letters_and_digits_stay_alone(text: str) -> None:
    assert marks(text) == text


def test_marks_of_lists_part_nothing_else() -> None:
    assert LIST_MARKS
    assert not set(LIST_MARKS) & set(marks(",.;:!?()"))
