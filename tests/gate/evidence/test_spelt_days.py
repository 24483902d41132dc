"""Dates inside the text of a cell."""

import pytest

from veridical.gate.evidence.spelt_days import days_spelt_in


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("2014, March. Released 2014, June 5", ["2014-03-01/2014-03-31", "2014-06-05/2014-06-05"]),
        ("Released May 11, 2023", ["2023-05-11/2023-05-11"]),
        ("am 5. März 2021", ["2021-03-01/2021-03-31", "2021-03-05/2021-03-05"]),
        ("2005, 1Q", ["2005-01-01/2005-03-31"]),
        ("Q3 2025", ["2025-07-01/2025-09-30"]),
        ("2014, February 30", []),
        ("room 2014 in may", []),
    ],
)
def test_days(text: str, days: list[str]) -> None:
    assert sorted(f"{each.start}/{each.end}" for each in days_spelt_in(text)) == days
