"""Which figures share a unit, and which only stand near each other."""

import pytest

from veridical.gate.claims import find_claims


def units(text: str) -> list[str]:
    return [claim.readings[0].unit for claim in find_claims(text) if claim.readings]


@pytest.mark.parametrize("text", ["10-12 %", "10 bis 12 %", "10 – 12 %", "10 to 12 %"])
def test_both_ends_of_a_range_have_its_unit(text: str) -> None:
    assert units(text) == ["%", "%"]


def test_the_dash_of_the_next_item_is_no_range() -> None:
    assert units("- 1020: 889'300.18 CHF\n- 1021: 304'498.23 CHF") == ["", "CHF", "", "CHF"]
