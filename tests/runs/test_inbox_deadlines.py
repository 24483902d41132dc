"""When time is over, and when people are warned."""

from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from pydantic import ValidationError

from veridical.contracts.person import ItemKind
from veridical.runs.inbox_item import DEFAULT_DEADLINES, InboxDeadlines

HOURS = some.floats(0.001, 10_000)


@pytest.mark.parametrize("kind", ItemKind)
def test_a_day_unless_somebody_says_otherwise(kind: ItemKind) -> None:
    assert DEFAULT_DEADLINES.ends(kind) == timedelta(hours=24)
    assert DEFAULT_DEADLINES.warns(kind) == timedelta(hours=22)


@given(HOURS, HOURS, some.sampled_from(ItemKind))
@settings(deadline=None)
def test_a_warning_comes_before_the_end_and_not_at_once(
    hours: float, warning: float, kind: ItemKind
) -> None:
    deadlines = InboxDeadlines.model_validate({kind.value: hours, "warning": warning})
    ends, warns = deadlines.ends(kind), deadlines.warns(kind)
    assert ends == timedelta(hours=hours)
    assert ends * 0.75 - timedelta(microseconds=1) <= warns < ends


@pytest.mark.parametrize("hours", [0, -1, 10_001, float("nan"), float("inf")])
def test_no_deadline_is_none(hours: float) -> None:
    with pytest.raises(ValidationError):
        InboxDeadlines(evidence=hours)
