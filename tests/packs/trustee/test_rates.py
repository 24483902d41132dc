from hypothesis import given
from hypothesis import strategies as st

from veridical.packs.trustee.rates import FOREIGN, SCALE, YEARS, in_francs, rate


@given(st.integers(-(10**12), 10**12), st.integers(1, 3 * SCALE))
def test_conversion_is_symmetric_and_exact_to_half_a_cent(cents: int, price: int) -> None:
    assert in_francs(-cents, price) == -in_francs(cents, price)
    assert abs(in_francs(cents, price) * SCALE - cents * price) * 2 <= SCALE


def test_there_is_a_rate_for_every_month_of_seven_years() -> None:
    assert len(YEARS) == 7
    rates = [
        rate(currency, year, month)
        for currency in FOREIGN
        for year in YEARS
        for month in range(1, 13)
    ]
    assert all(SCALE // 2 < price < SCALE * 3 // 2 for price in rates)
