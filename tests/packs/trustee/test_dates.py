from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from veridical.packs.trustee.dates import MONTHS, days_in, unix_seconds


@given(st.dates(min_value=datetime(1970, 1, 1, tzinfo=UTC).date()))
def test_a_date_is_midnight_utc(day: object) -> None:
    moment = datetime.fromisoformat(f"{day}T00:00:00+00:00")
    assert unix_seconds(moment.year, moment.month, moment.day) == moment.timestamp()


def test_months_have_names_and_lengths() -> None:
    assert len(MONTHS) == 12
    assert [days_in(2024, 2), days_in(2025, 2)] == [29, 28]
