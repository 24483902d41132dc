"""Units in any spelling, turned into each other where they measure the same."""

import pytest

from veridical.gate.evidence.quantity import converted, quantity, unit_after


@pytest.mark.parametrize(
    ("value", "source", "target", "expected"),
    [
        (36, "km/h", "m/s", 10),
        (50, "°F", "°C", 10),
        (10, "degrees Celsius", "°C", 10),
        (1.2, "cm", "mm", 12),
        (5, "meters per second", "m/s", 5),
    ],
)
def test_conversion(value: float, source: str, target: str, expected: float) -> None:
    assert converted(value, source, target) == pytest.approx(expected)


def test_unlike_or_unknown_units_are_not_converted() -> None:
    assert converted(5, "m/s", "mm") is None
    assert converted(5, "parsecs", "m/s") is None
    assert quantity("") is None


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        (" degrees Celsius on Monday", "degrees Celsius"),
        ("m/s with gusts", "m/s"),
        ("-meter", "meter"),
        (" in 1950", ""),
        (" mmol", ""),
        ("% of", "%"),
    ],
)
def test_the_unit_behind_a_figure(text: str, unit: str) -> None:
    assert unit_after(text) == unit
