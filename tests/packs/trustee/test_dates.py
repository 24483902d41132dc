from datetime import UTC, date, datetime

from hypothesis import given
from hypothesis import strategies as st

from veridical.packs.trustee.dates import MONTHS, days_in, unix_seconds


@given(st.dates(min_value=date(1970, 1, 1)))
def test_a_date_is_midnight_utc(day: date) -> None:
    midnight = datetime(day.year, day.month, day.day, tzinfo=UTC)
    assert unix_seconds(day.year, day.month, day.day) == midnight.timestamp()


def test_months_have_names_and_lengths() -> None:
    assert len(MONTHS) == 12
    assert [days_in(2024, 2), days_in(2025, 2)] == [29, 28]
