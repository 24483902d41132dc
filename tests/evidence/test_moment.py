"""Times as texts name them."""

import pytest

from veridical.evidence.moment import Moment, find_moments, read_moment


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2025-11-06", Moment(2025, month=11, day=6)),
        ("6 November 2025", Moment(2025, month=11, day=6)),
        ("November 6, 2025", Moment(2025, month=11, day=6)),
        ("06.11.2025", Moment(2025, month=11, day=6)),
        ("2025年11月6日", Moment(2025, month=11, day=6)),
        ("Jan 2023", Moment(2023, month=1)),
        ("Q3 2025", Moment(2025, quarter=3)),
        ("2025-Q3", Moment(2025, quarter=3)),
        ("3. Quartal 2025", Moment(2025, quarter=3)),
        ("2025年第三季度", Moment(2025, quarter=3)),
        ("2024", Moment(2024)),
        ("10:20", Moment(clock=(10, 20))),
    ],
)
def test_one_time_in_many_forms(text: str, moment: Moment) -> None:
    assert read_moment(text) == moment


@pytest.mark.parametrize("text", ["12 units", "3.02", "2,024 pieces", "31.02 kg", "may be"])
def test_figures_are_no_times(text: str) -> None:
    assert find_moments(text) == []


def test_a_coarse_time_covers_a_fine_one() -> None:
    assert Moment(2025, quarter=1).covers(Moment(2025, month=2, day=3))
    assert not Moment(2025, quarter=1).covers(Moment(2025, month=4))
    assert not Moment(2024).covers(Moment(2025, month=4))
    assert Moment(month=4).covers(Moment(2025, month=4))
