import pytest

from veridical.evals.comparing.proportion import proportion
from veridical.evals.report import words
from veridical.evals.report.words import UNKNOWN


def test_what_is_not_known_is_a_dash_and_never_a_zero() -> None:
    told = (
        words.percent(None),
        words.with_interval(proportion(0, 0)),
        words.points(None),
        words.points_with_interval(None, None, None),
        words.p_value(None),
        words.amount(None),
        words.seconds(None),
        words.dollars(None),
        words.mean_and_spread(None, None),
    )
    assert set(told) == {UNKNOWN}


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        (words.percent(0.625), "62.5 %"),
        (words.with_interval(proportion(1, 2)), "50.0 % [9.5, 90.5]"),
        (words.points(-0.03), "−3.0"),
        (words.points_with_interval(0.1, -0.02, 0.2), "+10.0 [−2.0, +20.0]"),
        (words.p_value(0.0004), "< 0.001"),
        (words.p_value(0.0342), "0.034"),
        (words.amount(12345), "12,345"),
        (words.seconds(4210), "4.2 s"),
        (words.dollars(0.042), "$0.0420"),
        (words.mean_and_spread(0.5, None), "50.0 %"),
        (words.mean_and_spread(0.5, 0.031), "50.0 ± 3.1 %"),
    ],
)
def test_figures_read_well(told: str, expected: str) -> None:
    assert told == expected
