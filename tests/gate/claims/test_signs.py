"""A minus before a figure is read for what it is: a sign, or a dash that joins."""

import pytest

from veridical.gate.claims import find_claims


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("4月-12,345.60瑞郎", -12345.60),
        ("平均每月-1,020.10瑞郎。", -1020.10),
        ("全年-36,400.80瑞郎", -36400.80),
        ("Der Aufwand betrug 2025 −1.229,07 CHF.", -1229.07),
        ("Am 31.10.2022 −2.161,08 CHF.", -2161.08),
        ("Eingang R-2020-000071 -6,784.29 CHF", -6784.29),
        ("Muster AG: CHF 2,000.00 (-15.7%)", -15.7),
        ("Muster AG – CHF -2,010.40 (no. 7)", -2010.40),
        ("Muster AG – EUR −2.010,40", -2010.40),
        ("Muster AG – CHF 2,010.40", 2010.40),
        ("Muster AG: CHF 2,000.00 (-12.9% of the five)", -12.9),
    ],
)
def test_a_minus_is_a_sign(text: str, value: float) -> None:
    found = {reading.value for claim in find_claims(text) for reading in claim.readings}
    assert value in found
    assert -value not in found


@pytest.mark.parametrize(
    "text", ["3月-5月", "2024年3月-5月", "2020-2021", "10 -20 units", "2019 -2021", "5-6个月"]
)
def test_a_dash_that_joins_is_no_sign(text: str) -> None:
    assert all(reading.value >= 0 for claim in find_claims(text) for reading in claim.readings)


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("The account turned over CHF 750.20.", ""),
        ("The account turned over 750 in May.", ""),
        ("We carried over 120 items.", ""),
        ("It was over CHF 750.20.", "over"),
        ("There were over 120 items.", "over"),
    ],
)
def test_who_turned_over_an_amount_had_no_more(text: str, bound: str) -> None:
    assert {claim.bound for claim in find_claims(text) if claim.readings} == {bound}
