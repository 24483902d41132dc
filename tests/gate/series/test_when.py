"""Times named in a text, as days of a timeline from Wednesday 3 to Monday 8 January 2024."""

from datetime import date, timedelta

import pytest

from veridical.gate.evidence.exhibit import Exhibit
from veridical.gate.evidence.sheet import Sheet
from veridical.gate.evidence.timeline import Timeline, timeline_of
from veridical.gate.series.when import find_whens


def timeline(first: date, days: int) -> Timeline:
    rows = tuple(((first + timedelta(day)).isoformat(), 1.0) for day in range(days))
    found = timeline_of(0, Sheet(0, ("date", "value"), rows, Exhibit()))
    assert found is not None
    return found


WEEK = timeline(date(2024, 1, 3), 6)


@pytest.mark.parametrize(
    ("text", "named", "days"),
    [
        ("on January 4th it rains", "January 4th", [(4, 4)]),
        ("am 4. Januar regnet es", "4. Januar", [(4, 4)]),
        ("on the 5th of January 2024", "5th of January 2024", [(5, 5)]),
        ("on 2024-01-06 it snows", "2024-01-06", [(6, 6)]),
        ("on Thursday, January 4, it rains", "Thursday, January 4", [(4, 4)]),
        ("on Friday it rains", "Friday", [(5, 5)]),
        ("am Freitag regnet es", "Freitag", [(5, 5)]),
        ("on January 7th and 8th", "January 7th and 8th", [(7, 7), (8, 8)]),
        ("from January 4th to January 6th", "January 4th to January 6th", [(4, 6)]),
        ("between January 4th and January 6th", "January 4th and January 6th", [(4, 6)]),
        ("on day two", "day two", [(4, 4)]),
        ("on the third day", "third day", [(5, 5)]),
        ("the first two days", "the first two days", [(3, 4)]),
        ("over the next five days", "over the next five days", [(3, 8)]),
        ("since January 5th", "January 5th", [(5, 8)]),
    ],
)
def test_days(text: str, named: str, days: list[tuple[int, int]]) -> None:
    (when,) = find_whens(text, WEEK)
    assert text[when.start : when.end] == named
    assert [(begin.day, end.day) for begin, end in when.stretches] == days


def test_the_following_day_follows_the_day_before() -> None:
    first, second = find_whens("Rain on January 4th. The following day is dry.", WEEK)
    assert second.stretches[0][0] - first.stretches[0][0] == timedelta(1)


@pytest.mark.parametrize(
    ("text", "begin", "end"),
    [
        ("in 2021", date(2021, 1, 1), date(2021, 12, 31)),
        ("in the 2020s", date(2020, 1, 1), date(2029, 12, 31)),
        ("in March 2021", date(2021, 3, 1), date(2021, 3, 31)),
        ("in mid-March 2021", date(2021, 3, 8), date(2021, 3, 23)),
        ("by the end of 2021", date(2021, 9, 1), date(2021, 12, 31)),
        ("from February to March 2021", date(2021, 2, 1), date(2021, 3, 31)),
        ("from March 2, 2021, to May 4, 2021", date(2021, 3, 2), date(2021, 5, 4)),
    ],
)
def test_longer_stretches(text: str, begin: date, end: date) -> None:
    (when,) = find_whens(text, timeline(date(2020, 6, 1), 600))
    assert when.stretches == ((begin, end),)


@pytest.mark.parametrize("text", ["it may rain", "2050.5 units", "$2021", "room A2021", "20 21"])
def test_what_names_no_time(text: str) -> None:
    assert find_whens(text, WEEK) == ()
