"""A sheet is a timeline where one column tells a moment for nearly every row."""

from datetime import date

import pytest

from veridical.gate.evidence.exhibit import Exhibit
from veridical.gate.evidence.sheet import Sheet
from veridical.gate.evidence.timeline import Grain, timeline_of


def sheet(name: str, *cells: object) -> Sheet:
    return Sheet(0, (name, "value"), tuple((cell, 1.0) for cell in cells), Exhibit())


@pytest.mark.parametrize(
    ("name", "cells", "grain"),
    [
        ("date", (1950, 1951, 1952), Grain.YEAR),
        ("year", ("1950", "1951", "1952"), Grain.YEAR),
        ("month", ("2025-01", "2025-02", "2025-03"), Grain.MONTH),
        ("day", ("2025-01-01", "2025-01-02", "2025-01-03"), Grain.DAY),
        ("at", ("2025-01-01 06:00:00", "2025-01-01 12:00:00", "2025-01-02 06:00:00"), Grain.HOUR),
        ("d", (date(2025, 1, 1), date(2025, 1, 2), date(2025, 1, 3)), Grain.DAY),
    ],
)
def test_moments_of_every_grain(name: str, cells: tuple[object, ...], grain: Grain) -> None:
    timeline = timeline_of(0, sheet(name, *cells))
    assert timeline is not None
    assert (timeline.column, timeline.grain) == (0, grain)


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("amount", (1950, 1951, 1952)),
        ("name", ("North", "South", "West")),
        ("day", ("2025-01-01", "2025-01-01", "2025-01-01", "2025-01-02")),
        ("day", ("2025-01-01", "2025-01-02")),
    ],
)
def test_other_columns_tell_no_time(name: str, cells: tuple[object, ...]) -> None:
    assert timeline_of(0, sheet(name, *cells)) is None


def test_rows_of_a_stretch() -> None:
    timeline = timeline_of(0, sheet("day", "2025-01-01", "2025-01-02", "2025-02-03"))
    assert timeline is not None
    assert timeline.rows_on([(date(2025, 1, 2), date(2025, 2, 28))]) == [1, 2]
    assert timeline.rows_on([]) == []


def test_remarks_with_dates_are_no_series() -> None:
    said = "We waited for an hour, and then the soup was cold and nobody came to help us"
    rows = tuple((f"2025-01-0{day}", 4.0, said) for day in (1, 2, 3))
    assert timeline_of(0, Sheet(0, ("day", "stars", "remark"), rows, Exhibit())) is None
