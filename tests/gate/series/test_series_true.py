"""Whatever the figures are: what is read off the rows is never refused, and no text breaks it."""

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from tests.gate.lexicons import GENERAL
from veridical.contracts.proof import Standing
from veridical.gate.claims import find_claims
from veridical.gate.evidence.exhibit import Exhibit
from veridical.gate.evidence.record import sheets_from_record
from veridical.gate.evidence.timeline import Timeline, timelines_of
from veridical.gate.series.series import bind_series

VALUES = st.lists(
    st.decimals(min_value="-90", max_value="9000", places=2).map(float), min_size=3, max_size=40
)
FIRST = date(2030, 3, 4)


def timelines(values: list[float]) -> tuple[Timeline, ...]:
    rows = [
        {"day": (FIRST + timedelta(at)).isoformat(), "level": value}
        for at, value in enumerate(values)
    ]
    return timelines_of(sheets_from_record(rows, 0, Exhibit()))


def refused(text: str, values: list[float]) -> list[str]:
    bounds = bind_series(find_claims(text), text, timelines(values), GENERAL)
    return [
        bound.claim.text for bound in bounds.values() if bound.standing is not Standing.GROUNDED
    ]


@given(VALUES, st.data())
def test_a_value_on_its_day(values: list[float], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(values) - 1))
    day = FIRST + timedelta(at)
    assert (
        refused(f"On {day:%B} {day.day}, {day.year}, the level was {values[at]:.2f}.", values) == []
    )


@given(VALUES)
def test_the_lowest_and_the_highest(values: list[float]) -> None:
    low, high = min(values), max(values)
    assert refused(f"Overall, the level ranged from {low:.2f} to {high:.2f}.", values) == []
    day = FIRST + timedelta(values.index(high))
    assert refused(f"The highest level, {high:.2f}, was on {day.isoformat()}.", values) == []


@given(VALUES, st.integers(1, 9))
def test_another_value_on_a_day(values: list[float], off: int) -> None:
    day = FIRST + timedelta(1)
    wrong = max(values) + off
    assert refused(f"On {day.isoformat()}, the level was {wrong:.2f}.", values)


@given(st.text(), VALUES)
def test_no_text_breaks_it(text: str, values: list[float]) -> None:
    answer = f"{text} 5 May 2030 {text} 12.5"
    assert all(each in answer for each in refused(answer, values))
