"""When time is over, and when people are warned."""

from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from pydantic import ValidationError

from veridical.contracts.person import ItemKind
from veridical.runs.inbox_deadlines import DEADLINES, Deadlines, read_deadlines

HOURS = some.floats(0.001, 10_000)


@pytest.mark.parametrize("kind", ItemKind)
def test_a_day_unless_somebody_says_otherwise(kind: ItemKind) -> None:
    assert DEADLINES.ends(kind) == timedelta(hours=24)
    assert DEADLINES.warns(kind) == timedelta(hours=22)


@given(HOURS, HOURS, some.sampled_from(ItemKind))
@settings(deadline=None)
def test_a_warning_comes_before_the_end_and_not_at_once(
    hours: float, warning: float, kind: ItemKind
) -> None:
    deadlines = Deadlines.model_validate({kind.value: hours, "warning": warning})
    ends, warns = deadlines.ends(kind), deadlines.warns(kind)
    assert ends == timedelta(hours=hours)
    assert ends * 0.75 - timedelta(microseconds=1) <= warns < ends


@pytest.mark.parametrize("hours", [0, -1, 10_001, float("nan"), float("inf")])
def test_no_deadline_is_none(hours: float) -> None:
    with pytest.raises(ValidationError):
        Deadlines(evidence=hours)


def test_the_file_says_how_long_and_the_environment_has_the_last_word(tmp_path: Path) -> None:
    path = tmp_path / "veridical.toml"
    assert read_deadlines(path, {}) == DEADLINES
    path.write_text("[inbox]\nevidence = 48\ncall = 4\n[runs]\nlives = 3\n")
    environment = {"VERIDICAL_INBOX_CALL": "0.5", "VERIDICAL_INBOX_EVIDENCE": ""}
    assert read_deadlines(path, environment) == Deadlines(evidence=48, call=0.5)


def test_a_misspelt_deadline_is_none(tmp_path: Path) -> None:
    path = tmp_path / "veridical.toml"
    path.write_text("[inbox]\nevidenze = 48\n")
    with pytest.raises(ValidationError, match="evidenze"):
        read_deadlines(path, {})
