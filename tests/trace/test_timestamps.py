from datetime import UTC, datetime

import pytest

from tests.trace.runs import NOON, called, model_called, repaired_run
from veridical.trace.timestamps import ended, moment


@pytest.mark.parametrize(
    ("at", "date"),
    [
        (NOON, datetime(2026, 11, 15, 12, tzinfo=UTC)),
        (-1.0, datetime(1970, 1, 1, tzinfo=UTC)),
        (float("inf"), datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)),
    ],
)
def test_seconds_become_dates_within_the_calendar(at: float, date: datetime) -> None:
    assert moment(at) == date


def test_calls_take_time_and_nothing_else_does() -> None:
    assert ended(model_called(NOON, 1)) == NOON + 0.8
    assert ended(called(1).model_copy(update={"at": NOON, "elapsed_ms": 250.0})) == NOON + 0.25
    assert ended(repaired_run().events[0]) == NOON
