from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from veridical.contracts.language import Language
from veridical.reading import shown

DE, EN, ZH = Language.DE, Language.EN, Language.ZH


@given(st.decimals(-(10**12), 10**12, places=2))
def test_a_figure_loses_no_digit(amount: Decimal) -> None:
    assert Decimal(shown.count(amount, DE).replace("'", "")) == amount
    assert Decimal(shown.count(amount, EN).replace(",", "")) == amount


def test_a_finer_figure_keeps_its_places() -> None:
    assert shown.count(1.2345, DE) == "1.2345"
    assert shown.count(0.939, EN) == "0.939"
    assert shown.count(12000, ZH) == "12,000"


def test_the_largest_floats_are_shown() -> None:
    assert shown.count(1.7e308, EN).startswith("17")
    assert shown.count(-1e30, EN).startswith("-1,000")
