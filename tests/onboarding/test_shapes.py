from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.onboarding.shapes import is_compact_date, shapes_of


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        ("2025-01-31", "iso_date"),
        ("2025-01-31 10:00:00", "iso_date"),
        (20250131, "compact_date"),
        ("20250131", "compact_date"),
        (1_735_700_000, "unix_seconds"),
        (1_735_700_000_000, "unix_milliseconds"),
        ("ada@example.com", "mail"),
        ("+41 44 123 45 67", "phone"),
        ("2025-05", "month"),
    ],
)
def test_values_have_shapes(value: str | int, shape: str) -> None:
    assert shape in shapes_of(value)


def test_a_month_is_no_phone_number() -> None:
    assert "phone" not in shapes_of("2025-05")


@pytest.mark.parametrize("value", [20251301, "20250230", "2025", 7, True, None, "hello"])
def test_other_values_are_no_dates(value: str | int | None) -> None:
    assert not {"iso_date", "compact_date", "unix_seconds"} & set(shapes_of(value))


@given(st.dates(min_value=date(1990, 1, 1), max_value=date(2090, 1, 1)))
def test_every_day_is_recognised_in_every_spelling(day: date) -> None:
    assert is_compact_date(f"{day:%Y%m%d}")
    assert "iso_date" in shapes_of(day.isoformat())
    seconds = int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp())
    assert "unix_seconds" in shapes_of(seconds)
    assert "unix_milliseconds" in shapes_of(seconds * 1000)
