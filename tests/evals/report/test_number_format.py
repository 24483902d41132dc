import pytest

from veridical.evals.comparison.statistics import proportion
from veridical.evals.report import number_format
from veridical.evals.report.number_format import UNKNOWN


def test_what_is_not_known_is_a_dash_and_never_a_zero() -> None:
    told = (
        number_format.percent(None),
        number_format.with_interval(proportion(0, 0)),
        number_format.points(None),
        number_format.points_with_interval(None, None, None),
        number_format.p_value(None),
        number_format.amount(None),
        number_format.seconds(None),
        number_format.dollars(None),
        number_format.mean_and_spread(None, None),
    )
    assert set(told) == {UNKNOWN}


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        (number_format.percent(0.625), "62.5 %"),
        (number_format.with_interval(proportion(1, 2)), "50.0 % [9.5, 90.5]"),
        (number_format.points(-0.03), "−3.0"),
        (number_format.points_with_interval(0.1, -0.02, 0.2), "+10.0 [−2.0, +20.0]"),
        (number_format.p_value(0.0004), "< 0.001"),
        (number_format.p_value(0.0342), "0.034"),
        (number_format.amount(12345), "12,345"),
        (number_format.seconds(4210), "4.2 s"),
        (number_format.dollars(0.042), "$0.0420"),
        (number_format.mean_and_spread(0.5, None), "50.0 %"),
        (number_format.mean_and_spread(0.5, 0.031), "50.0 ± 3.1 %"),
    ],
)
def test_figures_read_well(told: str, expected: str) -> None:
    assert told == expected
