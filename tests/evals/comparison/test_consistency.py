from hypothesis import given
from hypothesis import strategies as st

from tests.evals.records import numbered, runs
from veridical.evals.comparison.consistency import consistency
from veridical.evals.modes.mode import ModeName

FULL = ModeName.FULL


def test_all_any_and_alike_are_three_things() -> None:
    found = consistency(runs(FULL, a="ccc", b="cwr", c="www", d="rrr"))
    assert (found.repeats, found.cases) == (3, 4)
    assert (found.pass_all, found.pass_any, found.same_outcome) == (0.25, 0.5, 0.75)


def test_asking_once_says_nothing_about_consistency() -> None:
    found = consistency(runs(FULL, a="c", b="w"))
    assert (found.pass_all, found.pass_any, found.same_outcome) == (None, None, None)


def test_cases_that_were_not_asked_every_time_are_left_out() -> None:
    found = consistency(runs(FULL, a="cc", b="c"))
    assert (found.repeats, found.cases, found.pass_all) == (2, 1, 1.0)


@given(st.lists(st.text("crw", min_size=3, max_size=3), min_size=1, max_size=8))
def test_all_is_never_more_than_alike_nor_than_any(letters: list[str]) -> None:
    found = consistency(numbered(FULL, letters))
    assert found.pass_all is not None
    assert found.pass_any is not None
    assert found.same_outcome is not None
    assert found.pass_all <= min(found.pass_any, found.same_outcome)
